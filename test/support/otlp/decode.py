"""Prints an OTLP request for traces, read in protobuf from standard input, as JSON: by OpenTelemetry's own definitions."""
import sys

from google.protobuf.json_format import MessageToJson
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

print(MessageToJson(ExportTraceServiceRequest.FromString(sys.stdin.buffer.read())))
