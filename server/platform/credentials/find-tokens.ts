/**
 * Finds secrets of ours in files: by prefix and length, and by the checksum where there is one, so that little else than a
 * real secret is taken for one.
 */
import { checksumFits } from "./credential.ts";

export interface FoundToken {
  /** Name for people. */
  kind: string;
  /** From 1. */
  line: number;
}

const checked: Record<string, string> = {
  pat: "an access token",
  bot: "a bot's token",
  oauth: "an OAuth token",
  session: "a session",
  client: "an OAuth app's secret",
  refresh: "a refresh token",
};
const start = Buffer.from("svc_");
const withChecksum =
  /^(svc_(pat|bot|oauth|session|client|refresh)_[A-Za-z0-9_-]{43}[0-9a-f]{8})(?![A-Za-z0-9_-])/;
const ofRunner = /^svc_runner_[A-Za-z0-9_-]{43}(?![A-Za-z0-9_-])/;
/** More than the longest, with one character behind it. */
const longest = 80;
const maxFound = 10;

/** Positions of secrets in a file, at most ten. */
export function findTokens(bytes: Buffer): FoundToken[] {
  const found: FoundToken[] = [];
  for (let at = bytes.indexOf(start); at >= 0 && found.length < maxFound; at = bytes.indexOf(start, at + 1)) {
    const kind = kindOf(bytes.toString("latin1", at, at + longest));
    if (kind !== undefined) found.push({ kind, line: lineAt(bytes, at) });
  }
  return found;
}

function kindOf(text: string): string | undefined {
  if (ofRunner.test(text)) return "a runner's credential";
  const [, token = "", name = ""] = withChecksum.exec(text) ?? [];
  return token !== "" && checksumFits(token) ? checked[name] : undefined;
}

function lineAt(bytes: Buffer, position: number): number {
  let line = 1;
  for (let at = bytes.indexOf(0x0a); at >= 0 && at < position; at = bytes.indexOf(0x0a, at + 1)) line += 1;
  return line;
}
