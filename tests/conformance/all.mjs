// Everything about the protocol against one host: the official suite, the fifteen checks, and stops at any moment.
//   node all.mjs worker <folder of the app>     node all.mjs http <path of conformance-host>
import { pageScripts, runChecks } from "./checks.mjs";
import { host } from "./hosts.mjs";
import { runSuite } from "./run.mjs";
import { runStops } from "./stops.mjs";

const [kind, where] = process.argv.slice(2);
const began = Date.now();

// Each on a host of its own, whose data nobody else has touched.
async function on(what, scripts = {}) {
  const served = await host(kind, where, scripts);
  try {
    return await what(served);
  } catch (error) {
    console.log(`FAILED  broke off: ${error.stack}`);
    return 1;
  } finally {
    await served.close();
  }
}

let failed = await on(({ url }) => runSuite(url));
failed += await on((served) => runChecks(served), kind === "worker" ? await pageScripts() : {});
failed += await on((served) => runStops(served));
const took = ((Date.now() - began) / 1000).toFixed(0);
console.log(failed ? `${failed} failures against ${kind}, in ${took} s` : `all of it passed against ${kind}, in ${took} s`);
process.exit(failed ? 1 : 0);
