/** What one branch, tag or commit has that another does not: `/compare/BASE...HEAD`. */
import { useLocation, useNavigate } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { $api } from "../../api/client.ts";
import { isNotFound } from "../../api/problem.ts";
import { text } from "../../text/commits.ts";
import { text as mergeRequests } from "../../text/merge-requests.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page, Section } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { RefField, useOfferedBranches } from "../branches/ref-fields.tsx";
import { decodePart } from "../contents/decode-part.ts";
import { ChangedFilesView } from "../diffs/changed-files-view.tsx";
import { useRepositoryDiff } from "../diffs/use-repository-diff.ts";
import { newMergeRequestAddress } from "../merge-requests/addresses.ts";
import { compareAddress } from "../repositories/addresses.ts";
import { canWrite } from "../repositories/can-write.ts";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import { CommitList } from "./commit-list.tsx";
import styles from "./compare-page.module.css";

export function ComparePage() {
  const repository = useRepository();
  const basehead = useLocation().pathname.split("/").slice(4).map(decodePart).join("/");
  const [base = "", head = ""] = basehead.split("...");
  const isNamed = base !== "" && head !== "";
  return (
    <Page title={isNamed ? text.compared(base, head) : text.compareTitle} within={repository.full_name}>
      <Choice key={basehead} base={base} head={head} />
      {isNamed ? <Difference base={base} head={head} /> : <p>{text.compareHint}</p>}
    </Page>
  );
}

function Choice({ base, head }: { base: string; head: string }) {
  const repository = useRepository();
  const navigate = useNavigate();
  const show = (form: HTMLFormElement) => {
    const values = new FormData(form);
    const chosen = (name: string) => {
      const value = values.get(name);
      return typeof value === "string" ? value.trim() : "";
    };
    void navigate(compareAddress(repository, chosen("base"), chosen("head")));
  };
  return (
    <form
      className={styles.choice}
      onSubmit={(event) => {
        event.preventDefault();
        show(event.currentTarget);
      }}
    >
      <RefField name="base" label={text.base} defaultValue={base || repository.default_branch} />
      <RefField name="head" label={text.head} defaultValue={head} />
      <Button type="submit" kind="primary">
        {text.compare}
      </Button>
    </form>
  );
}

function Difference({ base, head }: { base: string; head: string }) {
  const path = { ...useRepositoryPath(), basehead: `${base}...${head}` };
  const comparison = $api.useQuery("get", "/repos/{owner}/{repo}/compare/{basehead}", { params: { path } });
  if (isNotFound(comparison.error)) return <Notice tone="warn">{text.notComparable}</Notice>;
  return (
    <QueryView query={comparison} lines={8}>
      {(found) => <Found comparison={found} base={base} head={head} />}
    </QueryView>
  );
}

function Found(props: { comparison: Schemas["Comparison"]; base: string; head: string }) {
  const { comparison, base, head } = props;
  const { status, ahead_by, behind_by, commits, base_commit, head_commit } = comparison;
  const source = useRepositoryDiff(`${base_commit.sha}...${head_commit.sha}`, head_commit.sha);
  if (status === "identical") return <Notice>{text.identical(base, head)}</Notice>;
  return (
    <>
      <p>{text.aheadBehind({ head, base }, { ahead: ahead_by, behind: behind_by })}</p>
      {ahead_by === 0 ? null : <CreateMergeRequest source={head} target={base} />}
      {commits.length === 0 ? null : (
        <Section title={text.commits}>
          <CommitList commits={commits} gitRef={head} />
          {ahead_by > commits.length ? <p>{text.newestCommits(commits.length)}</p> : null}
        </Section>
      )}
      {ahead_by === 0 ? null : <ChangedFilesView source={source} />}
    </>
  );
}

/** Tags and commits can be compared too; only branches can be merged. */
function CreateMergeRequest(branches: { source: string; target: string }) {
  const repository = useRepository();
  const known = (useOfferedBranches().data ?? []).map(({ name }) => name);
  if (!canWrite(repository) || !Object.values(branches).every((name) => known.includes(name))) return null;
  return (
    <div>
      <ButtonLink to={newMergeRequestAddress(repository, branches)}>{mergeRequests.createFrom}</ButtonLink>
    </div>
  );
}
