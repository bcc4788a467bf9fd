#include "dialect/sonnx/requirements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace hadamard::dialect {
namespace {

constexpr std::string_view kSparse = "no type, literal or .npy file is sparse: models show it";
constexpr std::string_view kGraph = "of graphs: models show it";

// Per operator and family what the documents list: restrictions R…, general restrictions GR…,
// constraints C…, the definition (SPEC) and examples (EX…). TYPES: the types that the operator has;
// SIGNATURE stands for types of `real`, where no constraint names them. Sub calls its sparse
// restriction R2 (REAL, INT) and R3 (FLOAT). Integer Mul and Sub have two examples 1. Add has no
// document: it has the rules of the others.
constexpr Requirement kRequirements[] = {
    {"SONNX-DIV-REAL-R1", "A, B and Y have the same shape", "plan::broadcast"},
    {"SONNX-DIV-REAL-GR1", "sparse tensors are not supported", "model::Graph", kSparse},
    {"SONNX-DIV-REAL-C1", "A, B and Y have the same shape", "plan::broadcast"},
    {"SONNX-DIV-REAL-C2", "the denominator contains no zero", "the kernels' zero check"},
    {"SONNX-DIV-REAL-SIGNATURE", "A, B and Y are tensors of reals", "dialect::settle"},
    {"SONNX-DIV-REAL-SPEC", "Y[i] = A[i] / B[i]", "the kernels and the reference"},
    {"SONNX-DIV-REAL-EX1", "the document's example", "the kernels and the reference"},
    {"SONNX-DIV-REAL-EX2", "the document's example", "the kernels and the reference"},
    {"SONNX-DIV-FLOAT-R1", "A, B and Y have the same shape", "plan::broadcast"},
    {"SONNX-DIV-FLOAT-R2", "A, B and Y have the same type", "dialect::settle"},
    {"SONNX-DIV-FLOAT-GR1", "sparse tensors are not supported", "model::Graph", kSparse},
    {"SONNX-DIV-FLOAT-C1", "A, B and Y have the same shape", "plan::broadcast"},
    {"SONNX-DIV-FLOAT-C2", "A, B and Y have the same type", "dialect::settle"},
    {"SONNX-DIV-FLOAT-C3", "division by zero gives an infinity or NaN",
     "the kernels and the reference"},
    {"SONNX-DIV-FLOAT-SPEC", "Y[i] = A[i] / B[i] by IEEE 754", "the kernels and the reference"},
    {"SONNX-DIV-FLOAT-EX1", "the document's example", "the kernels and the reference"},
    {"SONNX-DIV-FLOAT-EX2", "the document's example", "the kernels and the reference"},
    {"SONNX-DIV-INT-R1", "A, B and Y have the same shape", "plan::broadcast"},
    {"SONNX-DIV-INT-R2", "A, B and Y have the same type", "dialect::settle"},
    {"SONNX-DIV-INT-R3", "division by zero is undefined", "the kernels' zero check"},
    {"SONNX-DIV-INT-GR1", "sparse tensors are not supported", "model::Graph", kSparse},
    {"SONNX-DIV-INT-C1", "A, B and Y have the same shape", "plan::broadcast"},
    {"SONNX-DIV-INT-C2", "A, B and Y have the same type", "dialect::settle"},
    {"SONNX-DIV-INT-C3", "B must not contain zero elements", "the kernels' zero check"},
    {"SONNX-DIV-INT-SPEC", "Y[i] is the floor of A[i] / B[i]", "the kernels and the reference"},
    {"SONNX-DIV-INT-EX1", "the document's example", "the kernels and the reference"},
    {"SONNX-DIV-INT-EX2", "the document's example", "the kernels and the reference"},
    {"SONNX-DIV-TYPES",
     "the operator is specified for real, FP16, BFLOAT16, FP32, FP64, INT4 to INT64 and UINT4 to "
     "UINT64",
     "dialect::settle"},
    {"SONNX-MUL-REAL-R1", "the shape of tensors is explicit, and the same for all",
     "plan::broadcast"},
    {"SONNX-MUL-REAL-GR1", "sparse tensors are not supported", "model::Graph", kSparse},
    {"SONNX-MUL-REAL-C1", "A, B and Y have the same shape", "plan::broadcast"},
    {"SONNX-MUL-REAL-C2", "(of Div, copied: does not apply) zeros are legal",
     "the kernels and the reference"},
    {"SONNX-MUL-REAL-SIGNATURE", "A, B and Y are tensors of reals", "dialect::settle"},
    {"SONNX-MUL-REAL-SPEC", "Y[i] = A[i] B[i]", "the kernels and the reference"},
    {"SONNX-MUL-REAL-EX1", "the document's example", "the kernels and the reference"},
    {"SONNX-MUL-FLOAT-R1", "the shape of tensors is explicit, and the same for all",
     "plan::broadcast"},
    {"SONNX-MUL-FLOAT-R2", "A, B and Y have the same type", "dialect::settle"},
    {"SONNX-MUL-FLOAT-GR1", "sparse tensors are not supported", "model::Graph", kSparse},
    {"SONNX-MUL-FLOAT-C1", "A, B and Y have the same shape", "plan::broadcast"},
    {"SONNX-MUL-FLOAT-SPEC", "Y[i] = A[i] B[i] by IEEE 754", "the kernels and the reference"},
    {"SONNX-MUL-FLOAT-EX1", "the document's example", "the kernels and the reference"},
    {"SONNX-MUL-INT-R1", "the shape of tensors is explicit, and the same for all",
     "plan::broadcast"},
    {"SONNX-MUL-INT-GR1", "sparse tensors are not supported", "model::Graph", kSparse},
    {"SONNX-MUL-INT-C1", "A, B and Y have the same shape", "plan::broadcast"},
    {"SONNX-MUL-INT-C2", "A, B and Y have the same type", "dialect::settle"},
    {"SONNX-MUL-INT-SPEC", "Y[i] = A[i] B[i] modulo 2^n", "the kernels and the reference"},
    {"SONNX-MUL-INT-EX1-UINT8", "the document's example", "the kernels and the reference"},
    {"SONNX-MUL-INT-EX1-INT8", "the document's example", "the kernels and the reference"},
    {"SONNX-MUL-TYPES",
     "the operator is specified for real, FP16, BFLOAT16, FP32, FP64, INT4 to INT64 and UINT4 to "
     "UINT64",
     "dialect::settle"},
    {"SONNX-SUB-REAL-R1", "the shape of tensors is explicit, and the same for all",
     "plan::broadcast"},
    {"SONNX-SUB-REAL-R2", "sparse tensors are not supported", "model::Graph", kSparse},
    {"SONNX-SUB-REAL-C1", "A, B and Y have the same shape", "plan::broadcast"},
    {"SONNX-SUB-REAL-C2", "(of Div, copied: does not apply) zeros are legal",
     "the kernels and the reference"},
    {"SONNX-SUB-REAL-SIGNATURE", "A, B and Y are tensors of reals", "dialect::settle"},
    {"SONNX-SUB-REAL-SPEC", "Y[i] = A[i] - B[i]", "the kernels and the reference"},
    {"SONNX-SUB-REAL-EX1", "the document's example", "the kernels and the reference"},
    {"SONNX-SUB-FLOAT-R1", "the shape of tensors is explicit, and the same for all",
     "plan::broadcast"},
    {"SONNX-SUB-FLOAT-R2", "A, B and Y have the same type", "dialect::settle"},
    {"SONNX-SUB-FLOAT-R3", "sparse tensors are not supported", "model::Graph", kSparse},
    {"SONNX-SUB-FLOAT-C1", "A, B and Y have the same shape", "plan::broadcast"},
    {"SONNX-SUB-FLOAT-SPEC", "Y[i] = A[i] - B[i] by IEEE 754", "the kernels and the reference"},
    {"SONNX-SUB-FLOAT-EX1", "the document's example", "the kernels and the reference"},
    {"SONNX-SUB-INT-R1", "the shape of tensors is explicit, and the same for all",
     "plan::broadcast"},
    {"SONNX-SUB-INT-R2", "sparse tensors are not supported", "model::Graph", kSparse},
    {"SONNX-SUB-INT-C1", "A, B and Y have the same shape", "plan::broadcast"},
    {"SONNX-SUB-INT-C2", "A, B and Y have the same type", "dialect::settle"},
    {"SONNX-SUB-INT-SPEC", "Y[i] = A[i] - B[i] modulo 2^n", "the kernels and the reference"},
    {"SONNX-SUB-INT-EX1-UINT8", "the document's example", "the kernels and the reference"},
    {"SONNX-SUB-INT-EX1-INT8", "the document's example", "the kernels and the reference"},
    {"SONNX-SUB-TYPES",
     "the operator is specified for real, FP16, BFLOAT16, FP32, FP64, INT4 to INT64 and UINT4 to "
     "UINT64",
     "dialect::settle"},
    {"SONNX-ADD-REAL-GR1", "sparse tensors are not supported", "model::Graph", kSparse},
    {"SONNX-ADD-FLOAT-GR1", "sparse tensors are not supported", "model::Graph", kSparse},
    {"SONNX-ADD-INT-GR1", "sparse tensors are not supported", "model::Graph", kSparse},
    {"SONNX-ADD-REAL-R1", "the shape of tensors is explicit, and the same for all",
     "plan::broadcast"},
    {"SONNX-ADD-REAL-C1", "A, B and Y have the same shape", "plan::broadcast"},
    {"SONNX-ADD-REAL-SIGNATURE", "A, B and Y are tensors of reals", "dialect::settle"},
    {"SONNX-ADD-REAL-SPEC", "Y[i] = A[i] + B[i]", "the kernels and the reference"},
    {"SONNX-ADD-FLOAT-R1", "the shape of tensors is explicit, and the same for all",
     "plan::broadcast"},
    {"SONNX-ADD-FLOAT-R2", "A, B and Y have the same type", "dialect::settle"},
    {"SONNX-ADD-FLOAT-C1", "A, B and Y have the same shape", "plan::broadcast"},
    {"SONNX-ADD-FLOAT-SPEC", "Y[i] = A[i] + B[i] by IEEE 754", "the kernels and the reference"},
    {"SONNX-ADD-INT-R1", "the shape of tensors is explicit, and the same for all",
     "plan::broadcast"},
    {"SONNX-ADD-INT-C1", "A, B and Y have the same shape", "plan::broadcast"},
    {"SONNX-ADD-INT-C2", "A, B and Y have the same type", "dialect::settle"},
    {"SONNX-ADD-INT-SPEC", "Y[i] = A[i] + B[i] modulo 2^n", "the kernels and the reference"},
    {"SONNX-ADD-TYPES",
     "the operator is specified for real, FP16, BFLOAT16, FP32, FP64, INT4 to INT64 and UINT4 to "
     "UINT64",
     "dialect::settle"},
    {"SONNX-R1", "input and output tensors have the same, explicit shape",
     "model::check, model::Graph::infer, plan::broadcast"},
    {"SONNX-R2", "inputs and outputs have the same, explicit type",
     "model::check, model::Graph::infer, dialect::settle"},
    {"SONNX-R3", "division by zero is undefined", "the kernels' zero check"},
    {"SONNX-GR1", "sparse tensors are not supported", "model::Graph", kGraph},
    {"SONNX-OPERATORS", "a graph holds operators of the profile only",
     "model::Graph, dialect::settle", kGraph},
    {"SONNX-ADD-INT-OVERFLOW", "the result differs from that in Z where it does not fit the type",
     "model::check_ranges", kGraph},
    {"SONNX-SUB-INT-OVERFLOW", "the result differs from that in Z where it does not fit the type",
     "model::check_ranges", kGraph},
    {"SONNX-MUL-INT-OVERFLOW", "the result differs from that in Z where it does not fit the type",
     "model::check_ranges", kGraph},
    {"SONNX-DIV-INT-OVERFLOW", "overflow behaviour is implementation-defined: MIN / -1 wraps",
     "model::check_ranges", kGraph},
    {"SONNX-NEG-TYPES", "floats and signed integers", "dialect::settle, model::Graph::infer"},
    {"SONNX-RELU-TYPES", "floats and signed integers", "dialect::settle, model::Graph::infer"},
    {"SONNX-POW-TYPES", "floats, INT32 and INT64", "dialect::settle, model::Graph::infer"},
    {"SONNX-<OP>-TYPES", "an operator takes the types that ONNX has it for",
     "dialect::settle, model::Graph::infer", kGraph},
    {"SONNX-<OP>-INT-OVERFLOW", "the result differs from that in Z where it does not fit the type",
     "model::check_ranges", kGraph},
    {"ONNX-GRAPH-ACYCLIC", "a graph has no cycle", "model::Graph", kGraph},
    {"ONNX-GRAPH-NAMES", "every name that is used is defined", "model::Graph", kGraph},
    {"ONNX-GRAPH-SSA", "every name is defined once", "model::Graph", kGraph},
    {"ONNX-NODE-INPUTS", "a node has the inputs and outputs of its operator", "model::Graph",
     kGraph},
    {"ONNX-NODE-ATTRIBUTES", "a node has the attributes of its operator", "model::Graph", kGraph},
    {"ONNX-OPSET", "the model imports an opset of ONNX from 7 on", "model::Graph", kGraph},
    {"ONNX-BROADCAST", "shapes are broadcast as NumPy does", "plan::broadcast"},
    {"ONNX-SHAPE", "shapes that do not broadcast are an error", "plan::broadcast"},
    {"ONNX-TYPE", "A, B and Y have the same type", "dialect::settle"},
    {"ONNX-TYPES", "floats and integers; neither real nor complex", "dialect::settle"},
    {"ONNX-INT-DIVISION", "integers divide by truncation", "the kernels and the reference"},
    {"ONNX-ZERO-DIVISOR", "an integer zero divisor is an error", "the kernels' zero check"},
    {"ONNX-WRAP", "integers wrap modulo 2^n", "the kernels and the reference"},
    {"ONNX-FLOAT", "floats are those of IEEE 754", "the kernels and the reference"},
    {"ONNX-POW", "a to the power b, correctly rounded; integers modulo 2^n",
     "the kernels and the reference"},
    {"ONNX-MAX", "the larger; NaN if one is; +0 is above -0", "the kernels and the reference"},
    {"ONNX-MIN", "the smaller; NaN if one is; -0 is below +0", "the kernels and the reference"},
    {"ONNX-IDENTITY", "the same tensor", "the kernels and the reference"},
    {"ONNX-NEG", "-a", "the kernels and the reference"},
    {"ONNX-ABS", "the size of a", "the kernels and the reference"},
    {"ONNX-SIGN", "-1, 0 or 1", "the kernels and the reference"},
    {"ONNX-RELU", "the larger of a and 0", "the kernels and the reference"},
    {"ONNX-RECIPROCAL", "1 / a, correctly rounded", "the kernels and the reference"},
    {"ONNX-SQRT", "the square root, correctly rounded", "the kernels and the reference"},
    {"ONNX-EXP", "e to the power a, correctly rounded", "the kernels and the reference"},
    {"ONNX-LOG", "the natural logarithm, correctly rounded", "the kernels and the reference"},
    {"ONNX-TANH", "the hyperbolic tangent, correctly rounded", "the kernels and the reference"},
    {"ONNX-SIGMOID", "1 / (1 + e^-a), correctly rounded as a whole",
     "the kernels and the reference"},
    {"ONNX-FLOOR", "rounded down", "the kernels and the reference"},
    {"ONNX-CEIL", "rounded up", "the kernels and the reference"},
    {"ONNX-ROUND", "rounded to the nearest, half to even", "the kernels and the reference"},
    {"ONNX-CAST", "rounded once to floats; cut and saturated to integers; modulo 2^n between them",
     "op::Cast", kGraph},
    {"ONNX-WHERE", "A where the condition holds, else B", "op::Where", kGraph},
    {"ONNX-CLIP", "the smaller of high and the larger of low and a", "op::Clip", kGraph},
    {"ONNX-CONSTANT", "the tensor that the node holds", "model::Graph", kGraph},
    {"OPTION-INT-DIVISION", "the rounding of integer division can be chosen", "dialect::settle"},
    {"OPTION-BROADCAST", "the broadcast rule can be chosen", "dialect::settle"},
    {"OPTION-AXIS", "the axis of the rule of Paddle can be chosen", "plan::broadcast"},
};

}  // namespace

std::span<const Requirement> requirements() { return kRequirements; }

std::string requirement_id(std::string_view specification, std::string_view op,
                           std::string_view clause) {
  std::string name(op);
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return fmt::format("{}-{}-{}", specification, name, clause);
}

std::string_view statement(std::string_view id) {
  for (const Requirement& requirement : kRequirements) {
    if (requirement.id == id) return requirement.statement;
  }
  if (id.ends_with("-TYPES")) return "an operator takes the types that ONNX has it for";
  if (id.ends_with("-INT-OVERFLOW"))
    return "the result differs from that in Z where it does not fit";
  return {};
}

}  // namespace hadamard::dialect
