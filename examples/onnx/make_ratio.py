#!/usr/bin/python3
"""Writes ratio.onnx, the model of the README: Y = (A - B) / B for three integers. Needs Debian's python3-onnx."""
import pathlib

import onnx
from onnx import TensorProto, helper

A, B, Y = (helper.make_tensor_value_info(name, TensorProto.INT32, [3]) for name in "ABY")
nodes = [helper.make_node("Sub", ["A", "B"], ["difference"], name="change"),
         helper.make_node("Div", ["difference", "B"], ["Y"], name="ratio")]
model = helper.make_model(helper.make_graph(nodes, "ratio", [A, B], [Y]),
                          opset_imports=[helper.make_opsetid("", 14)], producer_name="hadamard")
onnx.save(model, pathlib.Path(__file__).with_name("ratio.onnx"))
