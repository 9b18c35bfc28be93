/** Parts of workflows of GitHub that are easily lost: what becomes of them, and what is said. */
import { expect, test } from "vitest";
import { convert } from "@forgeline/compiler/convert/convert.ts";

const source = ".github/workflows/ci.yml";
const converted = (text: string) => convert({ source, text, system: "github", path: source });
const job = (lines: string[], on = "push") =>
  `on: ${on}\njobs:\n  unit:\n    runs-on: ubuntu-latest\n${lines.map((line) => `    ${line}\n`).join("")}`;
const steps = (...each: string[]) => ["steps:", ...each.map((step) => `  - ${step}`)];
const said = (text: string) =>
  converted(text)
    .notes.map(({ message }) => message)
    .join("\n");

test("the name of an environment may be chosen by an input, and its address comes along", () => {
  const on = "{ workflow_dispatch: { inputs: { target: { type: string } } } }";
  const chosen = job(["environment: ${{ inputs.target || 'staging' }}", ...steps("run: make")], on);
  expect(converted(chosen).text).toContain(
    "environment: ${{ coalesce(coalesce(inputs.target, ''), 'staging') }}",
  );
  expect(converted(chosen).diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const placed = job([
    "environment: { name: production, url: 'https://example.com' }",
    ...steps("run: make"),
  ]);
  expect(converted(placed).text).toMatch(
    /environment: *(\{ name: production, url: |\n +name: production\n +url: )/,
  );
  const unknown = job(["environment: ${{ steps.a.outputs.b }}", ...steps("run: make")]);
  expect(converted(unknown).text).not.toMatch(/^ *environment:/m);
  expect(said(unknown)).toContain("so this job deploys nowhere");
});

test("a choice between two values stays one where the first counts as true", () => {
  const named = (text: string) => job(steps(`{ name: "\${{ ${text} }}", run: make }`));
  expect(converted(named("github.ref_name == 'main' && 'live' || 'test'")).text).toContain(
    "${{ coalesce(tag, branch) == 'main' && 'live' || 'test' }}",
  );
  // Theirs would go on to the other value, ours would not.
  expect(converted(named("github.ref_name == 'main' && '' || 'test'")).text).not.toContain("&& ''");
});

test("an identity token is the job's own key here", () => {
  expect(said(`permissions: { id-token: write }\n${job(steps("run: make"))}`)).toContain(
    "a job names the services that its identity tokens are for",
  );
});

test("files that a tool's cache depends on are in its key", () => {
  const setUp = (file: string) =>
    job(
      steps(
        `{ uses: actions/setup-node@v4, with: { node-version: 22, cache: npm, cache-dependency-path: ${file} } }`,
        "run: npm ci",
      ),
    );
  expect(converted(setUp("web/package-lock.json")).text).toContain("hashFiles('web/package-lock.json')");
  expect(said(setUp("'${{ matrix.dir }}/lock'"))).toContain("the cache has the key of package-lock.json");
});

test("commands of GitHub in the output of a step are told of, and other colons are not", () => {
  const told = "lines that begin with :: are only lines of the log here";
  expect(said(job(steps("run: 'echo \"::notice file=a.js,line=1::Hm\"'")))).toContain(told);
  expect(said(job(steps("run: 'echo \"::add-mask::$X\"'")))).toContain("::add-mask:: hides nothing here");
  expect(said(job(steps("run: 'echo ::group::Build'")))).toContain("::group:: folds nothing here");
  expect(said(job(steps("run: 'echo std::vector::notice'")))).not.toContain(told);
});

test("a step that waits for a cache to be missing runs, and says so", () => {
  const text = job(
    steps(
      "{ uses: actions/cache@v4, id: deps, with: { path: node_modules, key: a } }",
      "{ if: steps.deps.outputs.cache-hit != 'true', run: npm ci }",
    ),
  );
  expect(converted(text).text).toMatch(/- npm ci|run: npm ci/);
  expect(converted(text).text).not.toContain("when:");
  expect(said(text)).toContain("a job is not told whether a cache was found");
});

test("what a called workflow may do is said to be its own", () => {
  const text =
    "on: push\njobs:\n  call: { uses: ./.github/workflows/build.yml, permissions: { contents: write } }\n";
  expect(said(text)).toContain("the jobs of that pipeline have their own");
});

test("a job without a limit keeps the one that it had", () => {
  expect(converted(job(steps("run: make"))).text).toContain("timeout: 6h");
  expect(converted(job(["timeout-minutes: 5", ...steps("run: make")])).text).not.toContain("6h");
});

test("a cache that one step restores and another saves is one", () => {
  const step = (what: string) => `{ uses: actions/cache/${what}@v4, with: { path: out, key: a } }`;
  expect(converted(job(steps(step("restore"), "run: make"))).text).toContain("policy: pull");
  expect(converted(job(steps(step("save"), "run: make"))).text).toContain("policy: push");
  const both = converted(job(steps(step("restore"), "run: make", step("save")))).text;
  expect(both).toContain("key: a");
  expect(both).not.toContain("policy");
});

test("options of a container are resources and a user, and others are told of", () => {
  const text = job([
    "container: { image: a, options: --cpus 1 --memory=2g -u 1000 --privileged }",
    ...steps("run: make"),
  ]);
  expect(converted(text).text).toMatch(/resources:\n +cpu: 1\n +memory: 2Gi/);
  expect(converted(text).text).toContain('user: "1000"');
  expect(said(text)).toContain("--privileged is not carried over");
});

test("what a workflow of another repository is given is told of", () => {
  const text =
    "on: push\njobs:\n  call: { uses: a/b/.github/workflows/c.yml@v1, with: { x: 1 }, secrets: inherit }\n";
  expect(said(text)).toContain("what the workflow was given is not carried over");
  expect(said(text)).toContain("secrets are not handed over");
});

test("variables of the machine and of the ref have values, and others are told of", () => {
  const text = job(steps('run: echo "$GITHUB_REF_NAME" ${RUNNER_TEMP}/a $RUNNER_OS $RUNNER_ARCH'));
  expect(converted(text).text).toContain('echo "${CI_TAG:-$CI_BRANCH}" /tmp/a Linux $RUNNER_ARCH');
  expect(said(text)).toBe("RUNNER_ARCH is a variable of GitHub");
});

test("programs that images mostly do not have are told of once", () => {
  const text = job(steps("run: gh release view", "run: docker build .", "run: docker push a; gh pr list"));
  expect(said(text).match(/which images mostly do not have/g)).toHaveLength(1);
  expect(said(text).match(/a Docker that they can reach/g)).toHaveLength(1);
  expect(said(job(steps("run: cat docker-compose.yml")))).toBe("");
});

test("actions for reports become reports of the job", () => {
  const text = job(
    steps(
      "run: make",
      "{ uses: codecov/codecov-action@v4, with: { files: 'a.xml,./b.xml' } }",
      "{ uses: dorny/test-reporter@v1, if: github.ref == 'refs/heads/main', with: { path: 'out/*.xml' } }",
    ),
  );
  expect(converted(text).text).toMatch(/coverage: \[a\.xml, b\.xml\]\n +junit: \[out\/\*\.xml\]/);
  expect(said(text)).toContain("which has no condition of its own");
});

test("a condition on merge requests is the same here", () => {
  const text = job(["if: github.event_name == 'pull_request'", ...steps("run: make")]);
  expect(converted(text).text).toContain("event == 'merge_request'");
});

test("types of pull requests that start runs here are kept, and others are told of", () => {
  const types = (list: string) =>
    converted(job(steps("run: make"), `{ pull_request: { types: [${list}] } }`));
  expect(types("opened, synchronize, ready_for_review, closed").text).toContain(
    "types: [opened, updated, ready, closed, merged]",
  );
  expect(types("assigned, labeled").notes.map(({ message }) => message)).toEqual([
    expect.stringContaining("assigned starts no run"),
  ]);
});
