/** Reads what is sent to an OTLP endpoint with OpenTelemetry's definitions for Python: a foreign reader. */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { loadLauncherConfig } from "@forgeline/launcher/config.ts";
import { ensureProgram, installedProgram } from "../../../scripts/python/environment.ts";

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

const environment = {
  name: "otlp",
  requirementsFile: here("requirements.txt"),
  program: "python",
};

/** Installs the definitions where they are not there. Throws where PyPI cannot be reached. */
export function ensureOtlpDecoder(cache: string, say: (line: string) => void): Promise<string> {
  return ensureProgram(environment, cache, say);
}

/** The reader. Throws where it is not installed: `npm test` does that before the tests, and says why where it cannot. */
export async function otlpDecoder(): Promise<(body: Buffer) => DecodedSpan[]> {
  const python = await installedProgram(environment, loadLauncherConfig().cache);
  if (python === undefined)
    throw new Error("OpenTelemetry's definitions for Python are not installed: `npm test` installs them");
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
