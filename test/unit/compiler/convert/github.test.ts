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
