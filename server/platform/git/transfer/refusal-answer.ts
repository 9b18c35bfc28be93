/** A refusal in Git's own protocol, which clients show; of an HTTP status they show only the number. */
import type { AppError } from "../../app-error.ts";
import { flushPacket, maxPacketBytes, packet } from "./packet.ts";
import type { PushCommands } from "./push-commands.ts";

/** What every version of the protocol takes in place of an answer to a fetch. */
export function fetchRefusal(problem: AppError): Buffer {
  return Buffer.from(packet(`ERR ${oneLine(problem.message)}\n`));
}

/** A report that nothing was taken; undefined for a client that wants no report. */
export function pushRefusal({ code, message }: AppError, push: PushCommands): Buffer | undefined {
  if (!push.understands("report-status") && !push.understands("report-status-v2")) return undefined;
  const isMuxed = push.understands("side-band-64k");
  const report = [
    packet(`unpack ${isMuxed ? code : oneLine(message)}\n`),
    ...push.refs().map((ref) => packet(`ng ${ref} ${code}\n`)),
    flushPacket,
  ].join("");
  if (!isMuxed) return Buffer.from(report);
  return Buffer.concat([band(2, `${message}\n`), band(1, report), Buffer.from(flushPacket)]);
}

/** Cut into packets as large as there may be. */
function band(number: 1 | 2, text: string): Buffer {
  const bytes = Buffer.from(text);
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += maxPacketBytes - 1) {
    const part = bytes.subarray(at, at + maxPacketBytes - 1);
    const length = (part.length + 5).toString(16).padStart(4, "0");
    parts.push(Buffer.from(length), Buffer.of(number), part);
  }
  return Buffer.concat(parts);
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
