/** What a step prints is bytes, kept to the last one; nothing in it is structure, to us or to a reader's terminal. */
import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { run as runProgram } from "@forgeline/launcher/run.ts";
import { splitMarker } from "@forgeline/runner/logs/line-splitter.ts";
import { createProject, oneJob, type Project } from "../support/project.ts";
import { sharedInstance, type SharedInstance } from "../support/shared-instance.ts";

let instance: SharedInstance;
let project: Project;
beforeAll(async () => {
  instance = await sharedInstance();
  project = await createProject(instance, "forging");
});
afterAll(() => project.remove());

const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

/** Printed by busybox's `printf` with octal escapes, so that every byte gets there. */
function printing(bytes: Buffer): string {
  const octal = [...bytes].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
  return `printf '${octal}'`;
}

const frame = Buffer.concat([
  Buffer.from('{"t":"done","id":9,"attemptId":"att_x","epoch":1,"result":{"status":"success"}}\n'),
  Buffer.from('{"t":"log_eof","id":10,"bytes":0}\n::group::mine\n::endgroup::\n##[error]x\n'),
  Buffer.from("[forgeline: 7 bytes, 1 lines left out; the log is over its limit]\n"),
  Buffer.from([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 0xff, 0xfe, 0x28, 0xb5, 0x2f, 0xfd]),
]);
const escapes = Buffer.from(
  "\u001b]8;;javascript:alert(1)\u001b\\click\u001b]8;;\u001b\\\n\u001b]0;title\u0007\u001b[2J\u001b[H\u001b[31mred\u001b[0m\u001bc\u009b31m\u202e\n",
);
const odd: Record<string, { script: string; bytes: Buffer }> = {
  "our own frames": { script: printing(frame), bytes: frame },
  "escapes of terminals": { script: printing(escapes), bytes: escapes },
  "every byte": {
    script: printing(Buffer.from(Array.from({ length: 256 }, (_, i) => i))),
    bytes: Buffer.from(Array.from({ length: 256 }, (_, i) => i)),
  },
  "broken UTF-8 at the end, no final newline": {
    script: printing(Buffer.from([0x61, 0xe2, 0x82, 0x0a, 0xf0, 0x9f, 0x92])),
    bytes: Buffer.from([0x61, 0xe2, 0x82, 0x0a, 0xf0, 0x9f, 0x92]),
  },
  "bare carriage returns": {
    script: "i=0; while [ $i -lt 300 ]; do printf '%d%%\\r' $i; i=$((i+1)); done; printf 'end\\r\\n\\r'",
    bytes: Buffer.from(`${Array.from({ length: 300 }, (_, i) => `${i}%\r`).join("")}end\r\n\r`),
  },
  "50,000 empty lines": {
    script: "head -c 50000 /dev/zero | tr '\\0' '\\n'; echo last",
    bytes: Buffer.from(`${"\n".repeat(50_000)}last\n`),
  },
  nothing: { script: "true", bytes: Buffer.alloc(0) },
};

test("every stream is kept to the byte, and none ends or begins anything", async () => {
  const names = Object.keys(odd);
  const run = await project.runFile(
    oneJob(
      ...names.map((name, i) => ({ name: `s${i} ${name}`, run: odd[name]?.script ?? "" })),
      { name: "long", run: "head -c 1000000 /dev/zero | tr '\\0' x; echo; echo after" },
      "exit 7",
    ),
  );
  // The forged "success" was text.
  expect(run).toMatchObject({ status: "failed", stages: [{ jobs: [{ reason: "exit:7" }] }] });
  for (const [i, name] of names.entries()) {
    const log = await project.log(run, `job=main&step=${i}`);
    const wanted = odd[name]?.bytes ?? Buffer.alloc(0);
    expect({ name, length: log.length, sha256: sha256(log) }).toEqual({
      name,
      length: wanted.length,
      sha256: sha256(wanted),
    });
  }
  // Lines past 64 KiB are split, and each cut is marked; every byte of the line is there.
  const long = (await project.log(run, "job=main&step=long")).toString().split("\n");
  expect(long.slice(-2)).toEqual(["after", ""]);
  const pieces = long.slice(0, -2);
  expect(pieces.length).toBe(16);
  for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(64 * 1024 + 100);
  expect(pieces.join("").replaceAll(splitMarker.toString().trimEnd(), "")).toBe("x".repeat(1_000_000));

  expect(run.stages[0]?.jobs[0]?.attempts[0]).toMatchObject({ log_complete: true, warnings: [] });

  const pages = await instance.api<{ lines: { number: number; text: string }[] }>(
    "GET",
    `${project.path}/pipelines/${run.id}/logs?job=main&step=0`,
  );
  expect(pages.lines.length).toBe(7);
  expect(pages.lines[0]?.text).toContain('"t":"done"');

  const env = {
    PATH: process.env["PATH"],
    HOME: instance.directory,
    FORGELINE_URL: instance.url,
    FORGELINE_TOKEN: instance.adminToken,
    FORGELINE_CA_FILE: instance.certificates.caFile,
  };
  const args = ["cli/main.ts", "pipeline", "logs", run.id, "--job", "main", "--repo", project.fullName];
  const shown = await runProgram(process.execPath, args, { env });
  expect(shown).toContain('"t":"done"');
});
