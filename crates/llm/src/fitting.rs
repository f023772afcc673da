//! A tool's schema as a provider takes it. A tool of a server elsewhere may ask for its arguments in any words that JSON Schema
//! has, and a provider refuses the whole request for one word that it does not know.
//!
//! What is left out here only asked for more care: the tool itself checks what it is given.

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use crate::dialect::Schemas;

type Members = Map<String, Value>;

/// How deep a schema is read; what lies deeper takes anything.
const DEEPEST: usize = 24;

/// The most places of a schema: one that names itself twice at each depth would have no end.
const MOST_PLACES: usize = 1_500;

/// The words that offer several schemas.
const ALTERNATIVES: [&str; 2] = ["anyOf", "oneOf"];

/// What no provider takes at the root beside an object's own words.
const NOT_AT_THE_ROOT: [&str; 11] =
    ["$schema", "$id", "$ref", "allOf", "anyOf", "oneOf", "not", "enum", "const", "if", "dependentSchemas"];

/// The schema in the words that are taken.
pub(crate) fn fitted(schema: &Value, taken: Schemas) -> Value {
    let root = rooted(schema);
    let taken = match taken {
        Schemas::Rooted => return Value::Object(root.into_owned()),
        Schemas::Grammar => Below::Grammar,
        Schemas::OpenApi => Below::OpenApi,
    };
    let root = root.into_owned();
    let mut fitting = Fitting { root: schema, taken, left: MOST_PLACES };
    let mut fitted = match fitting.place(&Value::Object(root), 0) {
        Value::Object(members) => members,
        _ => Members::new(),
    };
    fitted.insert("type".into(), json!("object"));
    fitted.entry("properties").or_insert_with(|| json!({}));
    Value::Object(fitted)
}

/// The schema as one object at its root: what its alternatives have, together.
fn rooted(schema: &Value) -> Cow<'_, Members> {
    let Value::Object(members) = schema else { return Cow::Owned(empty()) };
    let is_plain = members.get("type") == Some(&json!("object"))
        && members.get("properties").is_some_and(Value::is_object)
        && NOT_AT_THE_ROOT[1..].iter().all(|word| !members.contains_key(*word));
    if is_plain {
        return Cow::Borrowed(members);
    }
    let mut root = empty();
    for (name, value) in members {
        let is_kept = !NOT_AT_THE_ROOT.contains(&name.as_str())
            && !matches!(name.as_str(), "type" | "properties" | "required" | "then" | "else");
        if is_kept {
            root.insert(name.clone(), value.clone());
        }
    }
    let fields = fields(schema, schema, 0, &mut { MOST_PLACES });
    root.insert("properties".into(), Value::Object(fields.properties));
    if !fields.required.is_empty() {
        root.insert("required".into(), json!(fields.required));
    }
    Cow::Owned(root)
}

fn empty() -> Members {
    let mut members = Members::new();
    members.insert("type".into(), json!("object"));
    members.insert("properties".into(), json!({}));
    members
}

/// What an object has, whichever of its alternatives it is.
#[derive(Default)]
struct Fields {
    properties: Members,
    required: Vec<String>,
}

impl Fields {
    /// A field that two of them have may be as either says.
    fn add(&mut self, other: Members) {
        for (name, schema) in other {
            match self.properties.get_mut(&name) {
                Some(known) if *known != schema => {
                    let mut both = match known.get("anyOf") {
                        Some(Value::Array(several))
                            if known.as_object().is_some_and(|one| one.len() == 1) =>
                        {
                            several.clone()
                        }
                        _ => vec![known.clone()],
                    };
                    if !both.contains(&schema) {
                        both.push(schema);
                    }
                    *known = json!({ "anyOf": both });
                }
                Some(_) => {}
                None => drop(self.properties.insert(name, schema)),
            }
        }
    }

    fn require(&mut self, names: impl IntoIterator<Item = String>) {
        for name in names {
            if !self.required.contains(&name) {
                self.required.push(name);
            }
        }
    }
}

/// `left` is how many places are looked at yet: a schema that refers to itself in alternatives has no end otherwise that
/// anybody lives to see.
fn fields(root: &Value, schema: &Value, depth: usize, left: &mut usize) -> Fields {
    let mut all = Fields::default();
    let Value::Object(members) = schema else { return all };
    if depth > DEEPEST || *left == 0 {
        return all;
    }
    *left -= 1;
    if let Some(Value::Object(properties)) = members.get("properties") {
        all.properties = properties.clone();
    }
    all.require(names(members.get("required")));
    let target = members.get("$ref").and_then(Value::as_str).and_then(|to| found(root, to));
    for part in target.into_iter().chain(list(members.get("allOf"))) {
        let part = fields(root, part, depth + 1, left);
        all.add(part.properties);
        all.require(part.required);
    }
    for word in ALTERNATIVES {
        let parts: Vec<Fields> =
            list(members.get(word)).iter().map(|part| fields(root, part, depth + 1, left)).collect();
        // Only what each of them requires is required of all.
        let required = parts.split_first().map(|(first, others)| {
            let by_all = |name: &&String| others.iter().all(|other| other.required.contains(name));
            first.required.iter().filter(by_all).cloned().collect::<Vec<_>>()
        });
        all.require(required.unwrap_or_default());
        parts.into_iter().for_each(|part| all.add(part.properties));
    }
    // What is required and nowhere described is refused by some, and no model could know what it is.
    let Fields { properties, required } = &mut all;
    if depth == 0 {
        required.retain(|name| properties.contains_key(name));
    }
    all
}

fn list(value: Option<&Value>) -> &[Value] {
    value.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

fn names(value: Option<&Value>) -> impl Iterator<Item = String> {
    list(value).iter().filter_map(Value::as_str).map(str::to_owned)
}

/// What a reference within the schema points to; one that leads out of it is followed by nobody.
fn found<'a>(root: &'a Value, to: &str) -> Option<&'a Value> {
    root.pointer(to.strip_prefix('#')?)
}

/// Who reads what is below the root.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Below {
    Grammar,
    OpenApi,
}

struct Fitting<'a> {
    root: &'a Value,
    taken: Below,
    /// How many places there may still be.
    left: usize,
}

impl Fitting<'_> {
    fn place(&mut self, schema: &Value, depth: usize) -> Value {
        let Value::Object(members) = schema else { return self.anything(None) };
        if depth > DEEPEST || self.left == 0 {
            return self.anything(members.get("description"));
        }
        self.left -= 1;
        if let Some(to) = members.get("$ref").and_then(Value::as_str) {
            let Some(Value::Object(target)) = found(self.root, to) else {
                return self.anything(members.get("description"));
            };
            let mut whole = target.clone();
            whole.extend(members.iter().filter(|(name, _)| *name != "$ref").map(owned));
            return self.place(&Value::Object(whole), depth + 1);
        }
        if let Some(Value::Array(parts)) = members.get("allOf") {
            let whole = self.merged(members, parts, depth);
            return self.place(&Value::Object(whole), depth + 1);
        }
        match self.taken {
            Below::Grammar => self.grammar(members, depth),
            Below::OpenApi => self.open_api(members, depth),
        }
    }

    /// All parts of an `allOf` as one.
    fn merged(&mut self, members: &Members, parts: &[Value], depth: usize) -> Members {
        let mut whole = Members::new();
        for part in parts {
            let target = part.get("$ref").and_then(Value::as_str).and_then(|to| found(self.root, to));
            if let Some(Value::Object(part)) = target.or(Some(part)) {
                whole.extend(part.iter().map(owned));
            }
        }
        whole.extend(members.iter().filter(|(name, _)| *name != "allOf").map(owned));
        let fields = fields(self.root, &Value::Object(members.clone()), depth.max(1), &mut self.left);
        if !fields.properties.is_empty() {
            whole.insert("properties".into(), Value::Object(fields.properties));
            whole.insert("required".into(), json!(fields.required));
        }
        whole
    }

    /// What takes anything: there are no words for it in OpenAPI, and a text can say it all.
    fn anything(&self, description: Option<&Value>) -> Value {
        match (self.taken, description.filter(|it| it.is_string())) {
            (Below::Grammar, _) => json!({}),
            (Below::OpenApi, None) => json!({ "type": "string" }),
            (Below::OpenApi, Some(description)) => json!({ "type": "string", "description": description }),
        }
    }

    fn properties(&mut self, members: &Members, depth: usize) -> Option<Members> {
        let Value::Object(properties) = members.get("properties")? else { return None };
        Some(order::gather(
            properties.iter().map(|(name, schema)| (name.clone(), self.place(schema, depth + 1))),
        ))
    }

    /// All words, without references, and without what no grammar is made of.
    fn grammar(&mut self, members: &Members, depth: usize) -> Value {
        const KNOWN: [&str; 8] =
            ["type", "properties", "items", "prefixItems", "enum", "const", "anyOf", "oneOf"];
        if !KNOWN.iter().any(|word| members.contains_key(*word)) {
            return self.anything(None);
        }
        let mut fitted = Members::new();
        for (name, value) in members {
            let value = match (name.as_str(), value) {
                ("properties", _) => match self.properties(members, depth) {
                    Some(properties) => Value::Object(properties),
                    None => continue,
                },
                ("anyOf" | "oneOf" | "prefixItems" | "items", Value::Array(parts)) => {
                    parts.iter().map(|part| self.place(part, depth + 1)).collect()
                }
                ("items" | "additionalProperties", Value::Object(_)) => self.place(value, depth + 1),
                ("items", Value::Bool(_)) => self.anything(None),
                // Patterns are read from the first letter to the last, or not at all.
                ("pattern", Value::String(pattern)) if pattern.starts_with('^') && pattern.ends_with('$') => {
                    value.clone()
                }
                ("required", _) => names(Some(value)).map(Value::from).collect(),
                (
                    "pattern" | "not" | "if" | "then" | "else" | "patternProperties" | "propertyNames"
                    | "dependentSchemas" | "dependentRequired" | "$defs" | "definitions" | "$schema" | "$id"
                    | "$comment" | "$anchor" | "$dynamicRef" | "$dynamicAnchor",
                    _,
                ) => continue,
                _ => value.clone(),
            };
            fitted.insert(name.clone(), value);
        }
        Value::Object(fitted)
    }

    /// The fields of Gemini's `Schema`, and none beside them.
    fn open_api(&mut self, members: &Members, depth: usize) -> Value {
        let description = members.get("description").filter(|it| it.is_string());
        let mut is_nullable = false;
        let mut parts: Vec<Value> = Vec::new();
        for part in ALTERNATIVES.iter().flat_map(|word| list(members.get(*word))) {
            let is_null = part.get("type").is_some_and(|kind| kind == "null");
            is_nullable |= is_null;
            if !is_null {
                parts.push(part.clone());
            }
        }
        let kinds: Vec<&str> = match members.get("type") {
            Some(Value::String(kind)) => vec![kind],
            Some(several) => list(Some(several)).iter().filter_map(Value::as_str).collect(),
            None => Vec::new(),
        };
        is_nullable |= kinds.contains(&"null");
        let kinds: Vec<&str> = kinds.into_iter().filter(|kind| *kind != "null").collect();
        if parts.is_empty() && kinds.len() > 1 {
            for kind in &kinds {
                let mut one = members.clone();
                one.insert("type".into(), json!(kind));
                parts.push(Value::Object(one));
            }
        }
        // What is said beside the alternatives holds in each of them.
        let mut base = members.clone();
        ALTERNATIVES.iter().for_each(|word| drop(base.remove(*word)));
        let mut fitted = match parts.as_slice() {
            [] => self.open_api_one(members, kinds.first().copied(), depth),
            [only] => {
                let mut one = base;
                one.extend(only.as_object().cloned().unwrap_or_default());
                one.extend(description.map(|it| ("description".to_owned(), it.clone())));
                match self.place(&Value::Object(one), depth + 1) {
                    Value::Object(one) => one,
                    _ => Members::new(),
                }
            }
            // Beside `anyOf` nothing else may be said, so each of them says it.
            several => {
                let one = |part: &Value| {
                    let mut one = base.clone();
                    one.extend(part.as_object().cloned().unwrap_or_default());
                    self.place(&Value::Object(one), depth + 1)
                };
                let several: Vec<Value> = several.iter().map(one).collect();
                return json!({ "anyOf": several });
            }
        };
        if is_nullable && !fitted.contains_key("anyOf") {
            fitted.insert("nullable".into(), json!(true));
        }
        Value::Object(fitted)
    }

    fn open_api_one(&mut self, members: &Members, kind: Option<&str>, depth: usize) -> Members {
        let mut choices: Vec<&Value> = list(members.get("enum")).iter().chain(members.get("const")).collect();
        let has_null = choices.iter().any(|choice| choice.is_null());
        // An empty text is refused as a choice, too.
        choices.retain(|choice| !choice.is_null() && choice.as_str() != Some(""));
        let are_texts = !choices.is_empty() && choices.iter().all(|choice| choice.is_string());
        let kind = match kind {
            Some(kind) => kind,
            None if members.contains_key("properties") => "object",
            None if members.contains_key("items") => "array",
            None => "string",
        };
        let mut fitted = Members::new();
        fitted.insert("type".into(), json!(kind));
        if has_null {
            fitted.insert("nullable".into(), json!(true));
        }
        let mut description =
            members.get("description").and_then(Value::as_str).unwrap_or_default().to_owned();
        if are_texts && kind == "string" {
            fitted.insert("enum".into(), choices.into_iter().cloned().collect());
        } else if !choices.is_empty() {
            // Only texts can be listed; of the others the model is told in words.
            let said: Vec<String> = choices.iter().map(ToString::to_string).collect();
            description = format!("{description} One of {}.", said.join(", ")).trim().to_owned();
        }
        if !description.is_empty() {
            fitted.insert("description".into(), json!(description));
        }
        let mut keep = |names: &[&str], is_taken: fn(&Value) -> bool| {
            for name in names {
                if let Some(value) = members.get(*name).filter(|value| is_taken(value)) {
                    fitted.insert((*name).to_owned(), value.clone());
                }
            }
        };
        match kind {
            "object" => {
                if let Some(properties) = self.properties(members, depth).filter(|all| !all.is_empty()) {
                    let required: Vec<String> =
                        names(members.get("required")).filter(|name| properties.contains_key(name)).collect();
                    if !required.is_empty() {
                        fitted.insert("required".into(), json!(required));
                    }
                    fitted.insert("properties".into(), Value::Object(properties));
                }
            }
            "array" => {
                keep(&["minItems", "maxItems"], Value::is_u64);
                let items = match members.get("items") {
                    Some(Value::Array(parts)) => parts.first(),
                    Some(items) => Some(items),
                    None => list(members.get("prefixItems")).first(),
                };
                let items = match items {
                    Some(items) => self.place(items, depth + 1),
                    None => self.anything(None),
                };
                fitted.insert("items".into(), items);
            }
            "string" => {
                keep(&["minLength", "maxLength"], Value::is_u64);
                keep(&["pattern"], Value::is_string);
                keep(&["format"], |format| matches!(format.as_str(), Some("date-time" | "enum")));
            }
            "number" | "integer" => {
                keep(&["minimum", "maximum"], Value::is_number);
                let is_known =
                    |format: &Value| matches!(format.as_str(), Some("int32" | "int64" | "float" | "double"));
                keep(&["format"], is_known);
            }
            _ => {}
        }
        fitted
    }
}

fn owned((name, value): (&String, &Value)) -> (String, Value) {
    (name.clone(), value.clone())
}

#[cfg(test)]
mod tests {
    use super::fitted;
    use crate::dialect::Schemas::{Grammar, OpenApi, Rooted};
    use serde_json::{Value, json};

    /// Alternatives at the root, of which one is written elsewhere.
    fn odd() -> Value {
        json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "description": "By id or by name.",
            "oneOf": [
                {"properties": {"id": {"type": "integer"}, "how": {"const": "id"}}, "required": ["id", "how"]},
                {"$ref": "#/$defs/ByName"},
            ],
            "$defs": {"ByName": {
                "type": "object",
                "properties": {"name": {"type": "string"}, "how": {"const": "name"}},
                "required": ["name", "how"],
            }},
        })
    }

    #[test]
    fn a_root_of_alternatives_is_one_object_with_what_they_all_have() {
        let fitted = fitted(&odd(), Rooted);
        assert_eq!(fitted["required"], json!(["how"]));
        assert_eq!(
            fitted["properties"],
            json!({
                "id": {"type": "integer"},
                "name": {"type": "string"},
                "how": {"anyOf": [{"const": "id"}, {"const": "name"}]},
            })
        );
        assert_eq!(
            (&fitted["type"], &fitted["description"]),
            (&json!("object"), &json!("By id or by name."))
        );
        assert_eq!(fitted.get("oneOf"), None);
    }

    #[test]
    fn a_plain_root_stays_as_it_is() {
        let plain = json!({
            "$schema": "x", "type": "object", "additionalProperties": false,
            "properties": {"due": {"type": ["string", "null"], "pattern": "a"}, "by": {"$ref": "#/$defs/By"}},
            "$defs": {"By": {"enum": ["a", null]}},
        });
        assert_eq!(fitted(&plain, Rooted), plain);
        assert_eq!(fitted(&json!({"type": "object"}), Rooted), json!({"type": "object", "properties": {}}));
        assert_eq!(fitted(&json!(true), Rooted), json!({"type": "object", "properties": {}}));
    }

    #[test]
    fn for_gemini_by_rows() {
        let rows = [
            (json!({"type": ["string", "null"]}), json!({"type": "string", "nullable": true})),
            (
                json!({"type": ["string", "null"], "enum": ["a", null]}),
                json!({"type": "string", "nullable": true, "enum": ["a"]}),
            ),
            (
                json!({"anyOf": [{"$ref": "#/$defs/P"}, {"type": "null"}], "description": "How much."}),
                json!({"type": "string", "enum": ["low"], "nullable": true, "description": "How much."}),
            ),
            (
                json!({"type": ["string", "integer"], "description": "d"}),
                json!({"anyOf": [{"type": "string", "description": "d"}, {"type": "integer", "description": "d"}]}),
            ),
            (
                json!({"type": "integer", "enum": [1, 2]}),
                json!({"type": "integer", "description": "One of 1, 2."}),
            ),
            (json!({"const": "x"}), json!({"type": "string", "enum": ["x"]})),
            (json!({"type": "array"}), json!({"type": "array", "items": {"type": "string"}})),
            (
                json!({"type": "object", "additionalProperties": {"type": "string"}, "required": ["gone"]}),
                json!({"type": "object"}),
            ),
            (
                json!({"type": "integer", "format": "uint8", "minimum": 0, "exclusiveMaximum": 9, "default": 1}),
                json!({"type": "integer", "minimum": 0}),
            ),
            (json!({"type": "string", "format": "date"}), json!({"type": "string"})),
            (json!(true), json!({"type": "string"})),
            (json!({"$ref": "https://elsewhere.example/x"}), json!({"type": "string"})),
            (
                json!({"allOf": [{"$ref": "#/$defs/Base"}, {"properties": {"b": {"type": "boolean"}}}]}),
                json!({
                    "type": "object",
                    "properties": {"a": {"type": "string"}, "b": {"type": "boolean"}},
                    "required": ["a"],
                }),
            ),
        ];
        let defs = json!({
            "P": {"type": "string", "enum": ["low"]},
            "Base": {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
        });
        for (schema, expected) in rows {
            let root = json!({"type": "object", "properties": {"x": schema}, "$defs": defs});
            let fitted = fitted(&root, OpenApi);
            assert_eq!(fitted["properties"]["x"], expected, "{schema}");
            assert_eq!(fitted.get("$defs"), None);
        }
    }

    #[test]
    fn for_a_grammar_by_rows() {
        let rows = [
            (json!({"type": ["string", "null"]}), json!({"type": ["string", "null"]})),
            (json!({"type": "string", "pattern": "[a-z]+"}), json!({"type": "string"})),
            (
                json!({"type": "string", "pattern": "^[a-z]+$"}),
                json!({"type": "string", "pattern": "^[a-z]+$"}),
            ),
            (json!({"description": "Anything."}), json!({})),
            (json!(true), json!({})),
            (json!({"$ref": "#/$defs/P"}), json!({"type": "string", "enum": ["low"]})),
            (json!({"type": "array", "items": true}), json!({"type": "array", "items": {}})),
        ];
        for (schema, expected) in rows {
            let defs = json!({"P": {"type": "string", "enum": ["low"]}});
            let root = json!({"type": "object", "properties": {"x": schema}, "$defs": defs});
            assert_eq!(fitted(&root, Grammar)["properties"]["x"], expected, "{schema}");
        }
    }

    #[test]
    fn a_schema_that_names_itself_has_an_end() {
        let node = json!({
            "type": "object",
            "properties": {"left": {"$ref": "#/$defs/Node"}, "right": {"$ref": "#/$defs/Node"}},
        });
        let tree = json!({"$ref": "#/$defs/Node", "type": "object", "$defs": {"Node": node}});
        for taken in [Rooted, Grammar, OpenApi] {
            let text = fitted(&tree, taken).to_string();
            assert!(text.len() < 200_000, "{taken:?}: {}", text.len());
        }
        let circle = json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}},
            "$defs": {"A": {"$ref": "#/$defs/A"}}});
        assert_eq!(fitted(&circle, OpenApi)["properties"]["a"], json!({"type": "string"}));
        // Six ways on from each place: all of them, to the depth that is followed, nobody lives to see.
        let again: Vec<Value> = (0..6).map(|_| json!({"$ref": "#"})).collect();
        let ways = json!({"type": "object", "properties": {"a": {"type": "string"}}, "anyOf": again, "allOf": again});
        for taken in [Rooted, Grammar, OpenApi] {
            let one = fitted(&ways, taken);
            assert!(one.to_string().len() < 200_000 && one["properties"]["a"].is_object(), "{taken:?}");
        }
    }

    #[test]
    fn what_is_said_beside_alternatives_holds_in_each() {
        let place = json!({"type": "object", "description": "Where.", "properties": {"a": {"type": "string"}, "b": {"type": "integer"}},
            "anyOf": [{"required": ["a"]}, {"required": ["b"]}]});
        let fitted = fitted(&json!({"type": "object", "properties": {"place": place}}), OpenApi);
        for (at, required) in ["a", "b"].into_iter().enumerate() {
            let one = &fitted["properties"]["place"]["anyOf"][at];
            assert_eq!((&one["type"], &one["required"]), (&json!("object"), &json!([required])), "{fitted}");
            assert_eq!(one["properties"]["b"], json!({"type": "integer"}), "{fitted}");
        }
    }
}
