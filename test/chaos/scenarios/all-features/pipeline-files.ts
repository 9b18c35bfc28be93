/** The files of the repositories: sixty jobs that use every feature of pipelines at once, and the runs beside them. */
import {
  holdText,
  linesId,
  linesText,
  plannedJobs,
  printText,
  rivalJobs,
  type PlannedJob,
} from "./planned-jobs.ts";

const print = `'eval "$PRINT"'`;
const hold = `'eval "$HOLD"'`;
const quoted = (text: string) => JSON.stringify(text);

/** What stands in the file below the key of each job, beside `env` and the matrix. */
const bodies: Readonly<Record<string, string>> = {
  lay: `stage: build, workspace: stage, steps: [${print}, 'mkdir -p made && echo lay > made/lay']`,
  add: `stage: build, workspace: stage, needs: [lay], retry: *again, steps: [${print}, 'test "$CI_ATTEMPT" != 1 || exit 3', 'cat made/lay && echo add > made/add']`,
  pair: `stage: build, workspace: stage, needs: [add], steps: [${print}, 'cat made/lay made/add && mkdir made/only && rmdir made/only && cp made/add "made/pair-$CI_MATRIX_N"'], artifacts: [{ name: "pair-\${{ matrix.n }}", paths: ["made/pair-*"], required: true }]`,
  apart: `stage: build, steps: [${print}, 'test ! -e made']`,
  list: `steps: [${print}, { id: say, run: 'echo "all=[0,1,2,3,4]" | sed "s/[0-4]/\\"&\\"/g" >> "$CI_OUTPUT"' }], outputs: { all: "\${{ steps.say.outputs.all }}" }`,
  unit: `max_parallel: 4, steps: [${print}, 'mkdir out && eval "$LINES" > "out/unit-$CI_MATRIX_N"'], artifacts: [{ name: "unit-\${{ matrix.n }}", paths: out, required: true }]`,
  // Larger than one part.
  big: `steps: [${print}, 'mkdir out && seq 1 1300000 > out/big'], artifacts: [{ name: big, paths: out, required: true }]`,
  collect: `needs: [{ job: unit, artifacts: true }, { job: big, artifacts: [big] }], steps: [${print}, 'for n in 0 1 2 3 4 5 6 7; do LINE_ID="${String(linesId("unit")).slice(0, -1)}$n"; eval "$LINES" | cmp - "out/unit-$n"; done; seq 1 1300000 | cmp - out/big']`,
  wide: `needs: [list], max_parallel: 2, steps: [${print}]`,
  quick: `fail_fast: true, steps: [${print}, 'test "$CI_MATRIX_N" != 3 || exit 4']`,
  side: `steps: [${print}, { parallel: ['LINE_ID=$((LINE_ID + 1000)); eval "$LINES"', 'LINE_ID=$((LINE_ID + 2000)); eval "$LINES"'] }]`,
  again: `retry: *again, steps: [${print}, 'test "$CI_ATTEMPT" != 1 || exit 5']`,
  once: `rerun_if_lost: false, steps: [${print}]`,
  serve: `services: { web: { image: "forgeline/base:1", command: [sh, -c, "mkdir /tmp/w; echo fine > /tmp/w/health; exec httpd -f -p 8080 -h /tmp/w"], ready: { tcp: 8080 } } }, steps: [${print}, 'test "$(wget -q -O - http://web:8080/health)" = fine']`,
  save: `cache: [{ key: "deps-\${{ pipeline.number }}", paths: [vendor] }], steps: [${print}, 'mkdir vendor && seq 1 200000 > vendor/a && echo end > vendor/z']`,
  load: `needs: [save], cache: [{ key: "deps-\${{ pipeline.number }}", paths: [vendor], policy: pull }], steps: [${print}, 'test ! -e vendor || { seq 1 200000 | cmp - vendor/a && test "$(cat vendor/z)" = end; }']`,
  keep: `cache: [{ key: "keep-\${{ pipeline.number }}", restore: [keep-], paths: [kept] }], steps: [${print}, 'if test -e kept; then seq 1 100000 | cmp - kept/a && test "$(cat kept/z)" = end; fi; rm -rf kept; mkdir kept; seq 1 100000 > kept/a; echo end > kept/z']`,
  "secret-env": `secrets: [TOKEN_ENV], steps: [${print}, 'echo "env $TOKEN_ENV end"; printf %s "$TOKEN_ENV" | base64']`,
  "secret-file": `secrets: [{ name: TOKEN_FILE, file: KEY }], steps: [${print}, 'echo "file $(cat "$KEY") end"; base64 "$KEY"']`,
  make: `steps: [${print}, { id: v, run: 'echo "said=made $LINE_ID" >> "$CI_OUTPUT"' }], outputs: { said: "\${{ steps.v.outputs.said }}" }`,
  use: `needs: [make], steps: [${print}, { run: 'test "$SAID" = "made ${linesId("make")}"', env: { SAID: "\${{ needs.make.outputs.said }}" } }]`,
  tpl: `steps: [${print}, { id: t, uses: ./ci/steps.yml, with: { text: hello } }, { run: 'test "$SAID" = "hello!"', env: { SAID: "\${{ steps.t.outputs.said }}" } }]`,
  tjob: `uses: ./ci/job.yml, with: { code: 0 }`,
  report: `steps: [${print}, 'echo "**done**" >> "$CI_SUMMARY"; echo "warning file=README line=1::look" >> "$CI_ANNOTATIONS"', 'echo "<testsuite name=\\"s\\" tests=\\"1\\"><testcase classname=\\"c\\" name=\\"t\\" time=\\"0.1\\"/></testsuite>" > junit.xml'], reports: { junit: junit.xml }`,
  bear: `allow_failure: true, steps: [${print}, "exit 3"]`,
  gated: `approval: { count: 1 }, steps: [${print}]`,
  asked: `approval: { count: 1 }, steps: [${print}]`,
  "after-asked": `needs: [asked], steps: [${print}]`,
  ship: `environment: "staging-\${{ matrix.n }}", concurrency: ship, steps: [${hold}]`,
  turn: `concurrency: turn, steps: [${hold}]`,
  room: `concurrency: { group: room, limit: 2, order: ready }, steps: [${hold}]`,
  fresh: `concurrency: { group: fresh, waiting: newest, order: ready }, steps: [${hold}]`,
  latest: `concurrency: { group: latest, cancel_running: true, order: ready }, steps: [${hold}]`,
  shared: `concurrency: { group: shared, scope: org, order: ready }, steps: [${hold}]`,
  child: `trigger: { pipeline: child, outputs: [said] }`,
  "use-child": `needs: [child], steps: [${print}, { run: 'test "$SAID" = told', env: { SAID: "\${{ needs.child.outputs.said }}" } }]`,
  away: `trigger: { pipeline: child, wait: false }`,
  below: `trigger: { repository: acme/below }`,
};

const stages =
  "[{ name: build, placement: together, needs: [] }, { name: test, needs: [] }, { name: deploy, needs: [] }]";
const deploying = new Set(
  plannedJobs.slice(plannedJobs.findIndex(({ key }) => key === "gated")).map(({ key }) => key),
);

function head(on: string): string {
  return `version: 1
on: ${on}
x-again: &again { max: 8, on: [script, infra], delay: 0s }
defaults: { image: "forgeline/base:1", clone: false, timeout: 20m, retry: { max: 8, on: [infra], delay: 0s } }
env:
  EFFECTS: "\${{ coalesce(vars.effects, '') }}"
  COUNT: "300"
  LINES: ${quoted(linesText)}
  PRINT: ${quoted(printText)}
  HOLD: ${quoted(holdText)}
`;
}

function jobLine(planned: PlannedJob): string {
  const { key, values, lines } = planned;
  const body = bodies[key] ?? "";
  const stage = body.startsWith("stage:") ? "" : `stage: ${deploying.has(key) ? "deploy" : "test"}, `;
  const list = key === "wide" ? `"\${{ fromJson(needs.list.outputs.all) }}"` : JSON.stringify(values);
  const matrix = values ? `matrix: { n: ${list} }, ` : "";
  const first = linesId(key);
  const id = values ? `${String(first).slice(0, -1)}\${{ matrix.n }}` : String(first);
  const env = lines > 0 ? `env: { LINE_ID: "${id}", COUNT: "${lines}" }, ` : "";
  return `  ${key}: { ${stage}${matrix}${env}${body} }`;
}

const single = (key: string, more: string) =>
  `${head("[pipeline]")}image: "forgeline/base:1"\nsteps: [{ run: 'eval "$LINES"', env: { LINE_ID: "${linesId(key)}" } }]\n${more}`;

/** By path, of the repository with the sixty jobs. */
export const mainFiles: Readonly<Record<string, string>> = {
  README: "chaos\n",
  ".forgeline/all.yml": `${head("[api]")}stages: ${stages}\njobs:\n${plannedJobs.map(jobLine).join("\n")}\n`,
  ".forgeline/rival.yml": `${head("[api]")}stages: ${stages.replace("{ name: build, placement: together, needs: [] }, { name: test, needs: [] }, ", "")}\njobs:\n${rivalJobs.map(jobLine).join("\n")}\n`,
  ".forgeline/child.yml": `${head("[pipeline]")}jobs:\n  only: { env: { LINE_ID: "${linesId("child")}" }, steps: ['eval "$LINES"', { id: s, run: 'echo "said=told" >> "$CI_OUTPUT"' }], outputs: { said: "\${{ steps.s.outputs.said }}" } }\n`,
  "ci/steps.yml":
    'inputs: { text: { type: string, required: true } }\nsteps:\n  - { id: s, run: \'echo "said=$T!" >> "$CI_OUTPUT"\', env: { T: "${{ inputs.text }}" } }\noutputs: { said: "${{ steps.s.outputs.said }}" }\n',
  "ci/job.yml": `inputs: { code: { type: number, default: 1 } }\njob:\n  image: "forgeline/base:1"\n  clone: false\n  env: { CODE: "\${{ inputs.code }}" }\n  steps: [${print}, 'exit "$CODE"']\n`,
};

/** Of the repository whose pipeline a job of the other one starts. */
export const belowFiles: Readonly<Record<string, string>> = {
  ".forgeline.yml": single("below", ""),
};
