//! One ONNX file in memory, and how it is run. What goes in and comes out is the business of the nets beside it.

use std::sync::Arc;

use rten::{Model, ModelOptions, NodeId, OpRegistry, RunOptions, ThreadPool, Value, op_types as op};
use rten_tensor::{NdTensor, Tensor};

/// Why a net gave nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetError {
    /// The bytes are no ONNX file that can be loaded, or one that needs an operator that is not built in. Fetch the
    /// file again.
    #[error("the model file cannot be read ({0}); fetch it again")]
    Unreadable(String),
    /// The file is a net, but another one. Pass the file that is named.
    #[error("the model file is another net than {expected}: it has no {missing}; pass {expected}")]
    WrongNet {
        /// The file in `models/` that belongs here.
        expected: &'static str,
        /// The input or output that it should have.
        missing: &'static str,
    },
    /// The net loaded, and failed on this picture; other pictures may go.
    #[error("the net failed on this picture: {0}")]
    Failed(String),
    /// What goes in or comes out is no finite number: a box of no size, points in one place, a damaged file.
    #[error("{0} is not a finite number; look at another picture or face")]
    NotFinite(&'static str),
}

/// A loaded net with one input and outputs in the order in which they were asked for.
pub(super) struct Net {
    model: Model,
    input: NodeId,
    outputs: Vec<NodeId>,
    /// One thread: two of them on one picture gain less than two workers on two pictures. In wasm there is none, and the
    /// net runs where it is called.
    threads: Arc<ThreadPool>,
}

impl Net {
    /// Loads the bytes of an ONNX file that has these outputs. `file` names it in errors.
    pub(super) fn load(bytes: &[u8], file: &'static str, outputs: &[&'static str]) -> Result<Self, NetError> {
        let model = ModelOptions::with_ops(operators())
            .load(bytes.to_vec())
            .map_err(|error| NetError::Unreadable(error.to_string()))?;
        let node = |name: &'static str| {
            model.find_node(name).ok_or(NetError::WrongNet { expected: file, missing: name })
        };
        let input = node("rgb")?;
        let outputs = outputs.iter().map(|name| node(name)).collect::<Result<_, _>>()?;
        Ok(Self { model, input, outputs, threads: Arc::new(ThreadPool::with_num_threads(1)) })
    }

    /// Runs it on planes (all of red, then green, then blue; 0 to 255) of `height × width`. Each output comes back as its
    /// numbers in the order of the file; one that has not as many numbers as `lengths` says is an error.
    pub(super) fn run(
        &self,
        (width, height): (usize, usize),
        planes: Vec<f32>,
        lengths: &[usize],
    ) -> Result<Vec<Vec<f32>>, NetError> {
        let input = NdTensor::try_from_data([1, 3, height, width], planes)
            .map_err(|error| NetError::Failed(error.to_string()))?;
        let options = RunOptions::default().with_thread_pool(Some(self.threads.clone()));
        let values = self
            .model
            .run(vec![(self.input, Value::from(input).into())], &self.outputs, Some(options))
            .map_err(|error| NetError::Failed(error.to_string()))?;
        let outputs = values.into_iter().map(numbers).collect::<Result<Vec<_>, _>>()?;
        if !outputs.iter().map(Vec::len).eq(lengths.iter().copied()) {
            return Err(NetError::Failed("its outputs have another shape than this net's".to_owned()));
        }
        Ok(outputs)
    }
}

fn numbers(value: Value) -> Result<Vec<f32>, NetError> {
    let tensor: Tensor<f32> =
        value.try_into().map_err(|_| NetError::Failed("an output is not 32-bit floats".to_owned()))?;
    Ok(tensor.into_data())
}

/// The operators that the four files use. The linker drops all others, which are half of the runtime's size.
fn operators() -> OpRegistry {
    OpRegistry::with_ops(&[
        &op::Add,
        &op::AveragePool,
        &op::Cast,
        &op::Clip,
        &op::Conv,
        &op::DequantizeLinear,
        &op::Flatten,
        &op::Gemm,
        &op::GlobalAveragePool,
        &op::MatMul,
        &op::MaxPool,
        &op::Pad,
        &op::Relu,
        &op::Resize,
        &op::Split,
        &op::Sub,
    ])
}

#[cfg(test)]
mod tests {
    //! Every net against onnxruntime, on a picture that a formula makes. What is written down of each output are its first
    //! numbers, its sum and its largest magnitude (`models/verify.py` writes them).

    use super::*;

    fn synthetic(width: usize, height: usize) -> Vec<f32> {
        let mut planes = Vec::with_capacity(3 * width * height);
        for channel in 0..3 {
            for y in 0..height {
                planes.extend(
                    (0..width).map(|x| ((7 * x + 13 * y + 29 * channel + ((x * y) >> 3)) % 256) as f32),
                );
            }
        }
        planes
    }

    #[test]
    fn agrees_with_onnxruntime() {
        let models = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models");
        let text = std::fs::read_to_string(format!("{models}/test-vectors.json")).unwrap();
        let vectors: serde_json::Value = serde_json::from_str(&text).unwrap();
        let tolerance = vectors["tolerance"].as_f64().unwrap();
        let cases = vectors["cases"].as_array().unwrap();
        assert_eq!(cases.len(), 4);
        for case in cases {
            let file: &'static str = case["model"].as_str().unwrap().to_owned().leak();
            let bytes = std::fs::read(format!("{models}/{file}")).unwrap();
            let size = |at: usize| usize::try_from(case["shape"][at].as_u64().unwrap()).unwrap();
            let (height, width) = (size(2), size(3));
            let expected = case["expect"].as_object().unwrap();
            let names: Vec<&'static str> = expected.keys().map(|name| &*name.clone().leak()).collect();
            let lengths: Vec<usize> = expected
                .values()
                .map(|output| {
                    output["shape"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap() as usize).product()
                })
                .collect();
            let net = Net::load(&bytes, file, &names).unwrap();
            let outputs = net.run((width, height), synthetic(width, height), &lengths).unwrap();
            for ((name, expected), output) in expected.iter().zip(outputs) {
                let first = expected["first8"].as_array().unwrap();
                for (expected, got) in first.iter().zip(&output) {
                    let expected = expected.as_f64().unwrap();
                    assert!(
                        (f64::from(*got) - expected).abs() < tolerance,
                        "{file} {name}: {got}, not {expected}"
                    );
                }
                let sum: f64 = output.iter().copied().map(f64::from).sum();
                // The sum is written to three digits and adds as many errors as there are numbers.
                let expected_sum = expected["sum"].as_f64().unwrap();
                assert!(
                    (sum - expected_sum).abs() < 1e-3 + 1e-5 * output.len() as f64,
                    "{file} {name}: {sum}"
                );
                let most = output.iter().fold(0.0f32, |most, number| most.max(number.abs()));
                assert!((f64::from(most) - expected["absmax"].as_f64().unwrap()).abs() < tolerance);
            }
        }
    }

    #[test]
    fn what_is_no_net_is_an_error() {
        assert!(matches!(Net::load(&[], "a.onnx", &[]), Err(NetError::Unreadable(_))));
        assert!(matches!(Net::load(b"<html>not found</html>", "a.onnx", &[]), Err(NetError::Unreadable(_))));
        let models = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models");
        let bytes = std::fs::read(format!("{models}/face-landmarks.onnx")).unwrap();
        for end in (0..bytes.len()).step_by(bytes.len() / 16) {
            // What is cut off loads as nothing or fails when run; it does not panic.
            if let Ok(net) = Net::load(&bytes[..end], "face-landmarks.onnx", &["points"]) {
                assert!(net.run((112, 112), synthetic(112, 112), &[136]).is_err());
            }
        }
        let net = Net::load(&bytes, "face-landmarks.onnx", &["points"]).unwrap();
        assert!(matches!(net.run((112, 112), vec![0.0; 5], &[136]), Err(NetError::Failed(_))));
        let other = Net::load(&bytes, "face-embedding.onnx", &["embedding"]).err();
        assert_eq!(other, Some(NetError::WrongNet { expected: "face-embedding.onnx", missing: "embedding" }));
    }
}
