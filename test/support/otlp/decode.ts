/** Reads what is sent to an OTLP endpoint with OpenTelemetry's definitions for Python: a foreign reader. */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { loadLauncherConfig } from "@forgeline/launcher/config.ts";
import { ensureProgram } from "../../../scripts/python/environment.ts";

export interface DecodedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  status?: { code?: string; message?: string };
  attributes: { key: string; value: { stringValue?: string; intValue?: string } }[];
  links?: { traceId: string; spanId: string; attributes: DecodedSpan["attributes"] }[];
}

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** The reader; installed from PyPI where it is not there yet. */
export async function otlpDecoder(): Promise<(body: Buffer) => DecodedSpan[]> {
  const environment = {
    name: "otlp",
    requirementsFile: here("requirements.txt"),
    program: "python",
  };
  const python = await ensureProgram(environment, loadLauncherConfig().cache, () => undefined);
  return (body) => {
    const text = execFileSync(python, [here("decode.py")], { input: body, encoding: "utf8" });
    const decoded = JSON.parse(text) as {
      resourceSpans: { scopeSpans: { spans: DecodedSpan[] }[] }[];
    };
    return decoded.resourceSpans.flatMap((one) => one.scopeSpans.flatMap(({ spans }) => spans));
  };
}

/** As JSON writes bytes of protobuf. */
export const base64 = (hex: string) => Buffer.from(hex, "hex").toString("base64");
