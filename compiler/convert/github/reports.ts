/** Actions that send results of tests or coverage somewhere: the files are `reports` here. */
import { addKey } from "../add-key.ts";
import { attempt } from "../cannot.ts";
import { textOfNode } from "../nodes.ts";
import { workspacePath } from "../values.ts";
import type { Action } from "./job-work.ts";
import { lines, translateTemplate } from "./texts.ts";

interface ReportAction {
  kind: "junit" | "coverage" | "sarif";
  /** Which of `with` names the files. */
  keys: readonly string[];
  /** What happened there and does not here. */
  lost: string;
}

const coverage = { kind: "coverage", keys: ["files", "file", "path-to-lcov"] } as const;
const tests = { kind: "junit", lost: "results of tests are read and shown by the server here" } as const;

export const reportActions: Readonly<Record<string, ReportAction>> = {
  "codecov/codecov-action": {
    ...coverage,
    lost: "Codecov is sent nothing: the server reads coverage itself",
  },
  "coverallsapp/github-action": {
    ...coverage,
    lost: "Coveralls is sent nothing: the server reads coverage itself",
  },
  "dorny/test-reporter": { ...tests, keys: ["path"] },
  "mikepenz/action-junit-report": { ...tests, keys: ["report_paths"] },
  "EnricoMi/publish-unit-test-result-action": { ...tests, keys: ["files", "junit_files"] },
  "github/codeql-action/upload-sarif": {
    kind: "sarif",
    keys: ["sarif_file"],
    lost: "findings are shown as annotations of the run here",
  },
};

const examples = { junit: '["reports/**/*.xml"]', coverage: "coverage/lcov.info", sarif: "results.sarif" };
const forms = {
  junit: "in the form of JUnit",
  coverage: "in the form of Cobertura, JaCoCo or LCOV",
  sarif: "in the form of SARIF",
};

/** Files below the workspace become a report of the job; the note says what to look at. */
export function convertReport({ given, step, work, name }: Action): null {
  const { kind, keys, lost } = reportActions[name] as ReportAction;
  const written = keys.flatMap((key) => lines(textOfNode(given.take(key))?.replaceAll(",", "\n") ?? null));
  const paths = written.flatMap((path) => {
    const translated = attempt(() => translateTemplate(path, work.known));
    const isPlain = "value" in translated && !translated.value.includes("${{");
    return (isPlain ? workspacePath(translated.value) : null) ?? [];
  });
  if (paths.length > 0) addKey(work.job, "reports", { [kind]: paths });
  const wanted = `see to it that the files are ${forms[kind]} (docs/pipelines/reports.md)`;
  const isWhole = paths.length > 0 && paths.length === written.length;
  step.note("uses", {
    message: lost,
    suggestion: isWhole
      ? wanted
      : `name the files in the job, such as reports: { ${kind}: ${examples[kind]} }, and ${wanted}`,
  });
  return null;
}
