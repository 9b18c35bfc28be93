/** Creates a merge request: two branches are chosen, what would be merged is shown, and then it is described. */
import { useNavigate, useSearchParams } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { $api } from "../../api/client.ts";
import { isNotFound } from "../../api/problem.ts";
import { text } from "../../text/merge-requests.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page, Section } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { RefField } from "../branches/ref-fields.tsx";
import { CommitList } from "../commits/commit-list.tsx";
import { ChangedFilesView } from "../diffs/changed-files-view.tsx";
import { useRepositoryDiff } from "../diffs/use-repository-diff.ts";
import { canWrite } from "../repositories/can-write.ts";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import { newMergeRequestAddress } from "./addresses.ts";
import { NewMergeRequestForm } from "./new-merge-request-form.tsx";
import styles from "./new-merge-request-page.module.css";

/** `?source=&target=` name the branches; without a target, the default branch. */
export function NewMergeRequestPage() {
  const repository = useRepository();
  const [query] = useSearchParams();
  const source = query.get("source") ?? "";
  const target = query.get("target") || repository.default_branch;
  return (
    <Page title={text.new} within={repository.full_name}>
      {canWrite(repository) ? (
        <>
          <Choice key={`${source}...${target}`} source={source} target={target} />
          <Chosen source={source} target={target} />
        </>
      ) : (
        <Notice>{text.mayNotCreate}</Notice>
      )}
    </Page>
  );
}

interface Branches {
  source: string;
  target: string;
}

function Choice({ source, target }: Branches) {
  const repository = useRepository();
  const navigate = useNavigate();
  const show = (form: HTMLFormElement) => {
    const values = new FormData(form);
    const chosen = (name: string) => {
      const value = values.get(name);
      return typeof value === "string" ? value.trim() : "";
    };
    void navigate(newMergeRequestAddress(repository, { source: chosen("source"), target: chosen("target") }));
  };
  return (
    <form
      className={styles.choice}
      onSubmit={(event) => {
        event.preventDefault();
        show(event.currentTarget);
      }}
    >
      <RefField name="source" label={text.source} defaultValue={source} />
      <RefField name="target" label={text.target} defaultValue={target} />
      <Button type="submit" kind={source === "" ? "primary" : "normal"}>
        {text.compare}
      </Button>
    </form>
  );
}

function Chosen({ source, target }: Branches) {
  if (source === "") return <p>{text.chooseHint}</p>;
  if (source === target) return <Notice tone="warn">{text.same}</Notice>;
  return <Compared source={source} target={target} />;
}

function Compared({ source, target }: Branches) {
  const path = useRepositoryPath();
  const comparison = $api.useQuery("get", "/repos/{owner}/{repo}/compare/{basehead}", {
    params: { path: { ...path, basehead: `${target}...${source}` } },
  });
  const existing = $api.useQuery("get", "/repos/{owner}/{repo}/merge-requests", {
    params: { path, query: { source_branch: source, target_branch: target, per_page: 1 } },
  });
  if (isNotFound(comparison.error)) return <Notice tone="warn">{text.notComparable}</Notice>;
  const [open] = existing.data ?? [];
  return (
    <QueryView query={comparison} lines={8}>
      {(found) =>
        found.ahead_by === 0 ? (
          <Notice>{text.nothingToMerge(source, target)}</Notice>
        ) : (
          <>
            {open ? <IsOpen mergeRequest={open} /> : null}
            {existing.data && !open ? (
              <NewMergeRequestForm source={source} target={target} comparison={found} />
            ) : null}
            <Changes comparison={found} source={source} />
          </>
        )
      }
    </QueryView>
  );
}

function IsOpen({ mergeRequest: { web_url, title, number } }: { mergeRequest: Schemas["MergeRequest"] }) {
  return (
    <Notice>
      {text.openAlready} <a href={new URL(web_url).pathname}>{text.one(number, title)}</a>
    </Notice>
  );
}

function Changes({ comparison, source }: { comparison: Schemas["Comparison"]; source: string }) {
  const { ahead_by: ahead, base_commit, head_commit, commits, files, files_truncated: isCut } = comparison;
  const diff = useRepositoryDiff(`${base_commit.sha}...${head_commit.sha}`, head_commit.sha);
  const fileCount = isCut ? text.atLeast(files.length) : String(files.length);
  return (
    <>
      <Section title={text.commits} lead={text.size(ahead, fileCount)}>
        <CommitList commits={commits} gitRef={source} />
        {ahead > commits.length ? <p>{text.newestCommits(commits.length)}</p> : null}
      </Section>
      <ChangedFilesView source={diff} />
    </>
  );
}
