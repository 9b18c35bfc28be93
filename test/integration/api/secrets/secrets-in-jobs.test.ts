/** Secrets from the settings to the steps of a job: who gets them, in which form, and what is recorded and masked. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Pipeline } from "@forgeline/schemas/pipelines/resource.ts";
import { readFigures } from "../../../support/figures.ts";
import { startTestInstance, type TestInstance } from "../../../support/instance.ts";
import { createProject, jobOf, type Project } from "../../../support/project.ts";

let instance: TestInstance;
let project: Project;
beforeAll(async () => {
  instance = await startTestInstance();
  project = await createProject(instance, "secretive");
});
afterAll(async () => {
  await project?.remove();
  await instance?.stop();
});

const set = (name: string, value: string, limits: object = {}, place = project.path) =>
  instance.api("PUT", `${place}/secrets/${name}`, { value, ...limits });
const file = (content: object) =>
  `${JSON.stringify({ image: "forgeline/base:1", clone: false, ...content })}\n`;
const job = (content: object) =>
  file({
    image: undefined,
    clone: undefined,
    jobs: { main: { image: "forgeline/base:1", clone: false, ...content } },
  });
const logOf = async (run: Pipeline) => (await project.log(run)).toString();

it("are given as variables and files, masked, and recorded", async () => {
  await set("DEPLOY_KEY", "line one is here\nline two is here\n");
  await set("TOKEN", "t0ken-of-the-repository");
  await set("TOKEN", "t0ken-of-the-instance", {}, "/admin");
  const ofOwner = { repositories: [`${project.fullName.split("/")[0]}/*`] };
  await set("OTHER", "only-for-the-second-step", ofOwner, "/admin");
  const run = await project.runFile(
    job({
      env: { TOKEN: "from env" },
      secrets: ["TOKEN", { name: "DEPLOY_KEY", file: "KEY_FILE" }, { name: "ABSENT", optional: true }],
      steps: [
        'echo "token $TOKEN"; printf %s "$TOKEN" | base64 -w 0; echo; cat "$KEY_FILE"; echo "absent:${ABSENT-unset}"; echo "other:${OTHER-unset}"',
        {
          id: "out",
          secrets: { SECOND: "OTHER" },
          run: '[ "$SECOND" = only-for-the-second-step ] && [ "$TOKEN" = t0ken-of-the-repository ] && echo same; echo "leak=$SECOND" >> "$CI_OUTPUT"; echo "fine=yes" >> "$CI_OUTPUT"; ls -l "$(dirname "$KEY_FILE")" | grep -c secret; env | grep -c "^KEY_FILE="',
        },
      ],
      outputs: { leak: "${{ steps.out.outputs.leak }}", fine: "${{ steps.out.outputs.fine }}" },
    }),
  );
  expect(run.status, JSON.stringify(run.stages)).toBe("success");
  const log = await logOf(run);
  expect(log).toMatch(/token \*\*\*\n\*\*\*.?.?=*\n\*\*\*absent:unset\nother:unset\n/);
  expect(log).toContain("same\n1\n1\n");
  const done = await instance.api<{ outputs: object; warnings_list?: unknown }>(
    "GET",
    `${project.path}/pipelines/${run.id}/jobs/${jobOf(run).id}`,
  );
  expect(JSON.stringify(done)).toContain("contains a secret and was dropped");
  expect(JSON.stringify(done.outputs)).not.toContain("only-for");
  const uses = await instance.api<unknown[]>("GET", `${project.path}/secrets/TOKEN/uses`);
  expect(uses).toMatchObject([
    { repository: project.fullName, pipeline_number: run.number, job: "main", attempt: 1 },
  ]);
  expect(await instance.api("GET", "/admin/secrets/TOKEN/uses")).toEqual([]);
  expect(await instance.api("GET", "/admin/secrets/OTHER/uses")).toHaveLength(1);
  const credentials = () =>
    instance.api<{ secrets: object[] }[]>("GET", `${project.path}/pipelines/${run.number}/credentials`);
  const expected = [
    { name: "DEPLOY_KEY", level: "repository", given_at: expect.any(String) },
    { name: "OTHER", level: "instance", given_at: expect.any(String) },
    { name: "TOKEN", level: "repository", given_at: expect.any(String) },
  ];
  expect(await credentials()).toEqual([
    { job_id: jobOf(run).id, job: "main", attempt: 1, secrets: expected, id_tokens: [] },
  ]);
  await instance.api("DELETE", "/admin/secrets/OTHER");
  expect(await credentials()).toMatchObject([{ secrets: expected }]);
  const [listed] = await instance.api<{ last_used_at: string | null }[]>("GET", `${project.path}/secrets`);
  expect(listed?.last_used_at).not.toBeNull();
  const figures = await readFigures([instance.servers[0]?.metricsUrl ?? ""]);
  expect(figures.get("forgeline_secrets_given_total")).toBe(3);
});

it("that are missing or limited end the job before anything starts, and say why", async () => {
  await set("PROD", "for production alone", { branches: ["main"], events: ["push"] });
  await set("TAGGED", "for tags alone", { tags: ["v*"] });
  await set("TOOLS", "for one image alone", { images: ["forgeline/deploy:*"] });
  await set("STAGED", "for one stage alone", { stages: ["deploy"] });
  await set("ELSEWHERE", "for other repositories", { repositories: ["nobody/*"] }, "/admin");
  const expected = {
    NOWHERE: "The secret NOWHERE does not exist.",
    PROD: "The secret PROD is limited to branch main; this run is of branch side.",
    TAGGED: "The secret TAGGED is limited to tag v*; this run is of branch side.",
    TOOLS: "The secret TOOLS is limited to other images than forgeline/base:1.",
    STAGED: "The secret STAGED is limited to other stages than main.",
    ELSEWHERE: `The secret ELSEWHERE is limited to other repositories than ${project.fullName}.`,
  };
  const jobs = Object.fromEntries(
    Object.keys(expected).map((name) => [
      name.toLowerCase(),
      { image: "forgeline/base:1", clone: false, steps: [{ run: "echo started", secrets: [name] }] },
    ]),
  );
  const run = await project.runFile(`${JSON.stringify({ jobs })}\n`, { branch: "side" });
  expect(run.status).toBe("error");
  expect(run.foreseen.map(({ message }) => message)).toEqual(Object.values(expected));
  for (const [name, message] of Object.entries(expected))
    expect(jobOf(run, name.toLowerCase())).toMatchObject({
      status: "error",
      reason: `secret_missing:${name}`,
      message,
    });
  expect(await logOf(run)).not.toContain("started");
  const figures = await readFigures([instance.workerMetricsUrl]);
  expect(figures.get('forgeline_job_failures_total{status="error",reason="secret_missing"}')).toBe(6);
  const allowed = await project.runFile(job({ secrets: ["PROD"], steps: ["echo started"] }), {
    branch: "main2",
  });
  expect(allowed.status).toBe("error");
});

it("reach services as files", async () => {
  await set("DB_PASSWORD", "a password for the database");
  const run = await project.runFile(
    job({
      services: {
        db: {
          image: "forgeline/base:1",
          secrets: [{ name: "DB_PASSWORD", file: "PASSWORD_FILE" }],
          command: [
            "sh",
            "-c",
            'echo "service has $(wc -c < "$PASSWORD_FILE"): $(cat "$PASSWORD_FILE")"; sleep 60',
          ],
          ready: { exec: 'test -s "$PASSWORD_FILE"' },
        },
      },
      steps: ['ls -d /forgeline-*/secrets 2>/dev/null || echo "none here"'],
    }),
  );
  expect(run.status, JSON.stringify(run.stages)).toBe("success");
  const log = await logOf(run);
  expect(log).toContain("service has 27: ***");
  expect(log).toContain("none here");
});
