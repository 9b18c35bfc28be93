/**
 * Row 36 of security.md from a job to the reader of its log: a secret that a step prints in each listed form, at ever other places of
 * the stream, and in pieces. Reversed it is not caught, which the documents say, and which tells the test what it was.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { counted } from "../support/counted.ts";
import { createProject, oneJob, type Project } from "../support/project.ts";
import { sharedInstance } from "../support/shared-instance.ts";
import { size } from "../support/size.ts";

const rounds = size(100, 30_000);

let project: Project;
beforeAll(async () => {
  project = await createProject(await sharedInstance(), "printers");
});
afterAll(() => project.remove());

const forms = `t=$CI_JOB_TOKEN
show() { printf '%s' "$1" | base64 | tr -d '\\n'; echo; }
show "$t" > forms; show "x$t" >> forms; show "xy$t" >> forms
printf '%s' "$t" | od -An -v -tx1 | tr -d ' \\n' >> forms; echo >> forms
tr a-f A-F < forms | tail -1 >> forms
printf '%s\\n{"token":"%s"}\\n' "$t" "$t" >> forms
pad=; i=0
while [ $i -lt ${rounds} ]; do pad="$pad."; [ \${#pad} -lt 97 ] || pad=; while read -r form; do echo "$pad$form"; done < forms; i=$((i+1)); done`;
const pieces = `t=$CI_JOB_TOKEN; i=0
while [ $i -lt \${#t} ]; do printf '%s' "$t" | dd bs=1 skip=$i count=1 2>/dev/null; sleep 0.02; i=$((i+1)); done; echo`;

test("a secret in all its forms comes out as ***, wherever it is printed", async (context) => {
  const steps = ['printf "%s\\n" "$CI_JOB_TOKEN" | rev', { run: forms, shell: "sh" }, pieces];
  const { sha } = await project.push({ ".forgeline.yml": oneJob(...steps) });
  const run = await project.finished(sha, size(60_000, 1_800_000));
  expect(run.status, JSON.stringify(run.stages)).toBe("success");
  const reversed = (await project.log(run, "job=main&step=0")).toString().trim();
  const token = reversed.split("").toReversed().join("");
  expect(token).toMatch(/^svc_job_/);
  const log = (await project.log(run, "job=main&step=1")).toString();
  const bytes = Buffer.from(token);
  const hidden = [0, 1, 2].map((before) =>
    Buffer.concat([Buffer.alloc(before, "x"), bytes])
      .toString("base64")
      .slice(4, -4),
  );
  const listed = [token, ...hidden, bytes.toString("hex"), bytes.toString("hex").toUpperCase()];
  expect(listed.filter((form) => log.includes(form))).toEqual([]);
  const lines = log.split("\n").filter((line) => line !== "");
  expect(lines.length).toBe(rounds * 7);
  expect(lines.filter((line) => !line.includes("***"))).toEqual([]);
  expect((await project.log(run, "job=main&step=2")).toString()).toBe("***\n");
  counted(context, { "lines with a secret": lines.length, "secrets that came out": 0 });
});
