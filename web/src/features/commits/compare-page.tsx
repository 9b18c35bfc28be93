/** What one branch, tag or commit has that another does not: `/compare/BASE...HEAD`; `?head_repo=OWNER/NAME` with the head of a fork. */
import { useLocation, useNavigate, useSearchParams } from "react-router";
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
import { newMergeRequestAddress } from "../merge-requests/addresses.ts";
import { compareAddress } from "../repositories/addresses.ts";
import { InRepository } from "../repositories/in-repository.tsx";
import { canWrite } from "../repositories/can-write.ts";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import { CommitList } from "./commit-list.tsx";
import { ComparedFiles } from "./compared-files.tsx";
import styles from "./compare-page.module.css";

export function ComparePage() {
  const repository = useRepository();
  const basehead = useLocation().pathname.split("/").slice(4).map(decodePart).join("/");
  const [base = "", head = ""] = basehead.split("...");
  const isNamed = base !== "" && head !== "";
  const [query] = useSearchParams();
  const headRepo = query.get("head_repo") ?? undefined;
  const shownHead = headRepo === undefined ? head : `${headRepo}:${head}`;
  return (
    <Page title={isNamed ? text.compared(base, shownHead) : text.compareTitle} within={repository.full_name}>
      <Choice key={basehead} {...{ base, head, headRepo }} />
      {isNamed ? <Difference {...{ base, head, headRepo }} /> : <p>{text.compareHint}</p>}
    </Page>
  );
}

interface Compared {
  base: string;
  head: string;
  /** Full name of the repository with the head; undefined: the repository itself. */
  headRepo: string | undefined;
}

function Choice({ base, head, headRepo }: Compared) {
  const repository = useRepository();
  const navigate = useNavigate();
  const show = (form: HTMLFormElement) => {
    const values = new FormData(form);
    const chosen = (name: string) => {
      const value = values.get(name);
      return typeof value === "string" ? value.trim() : "";
    };
    const pathname = compareAddress(repository, chosen("base"), chosen("head"));
    const search = headRepo === undefined ? "" : `?head_repo=${encodeURIComponent(headRepo)}`;
    void navigate({ pathname, search });
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
      <RefField name="head" label={text.head} defaultValue={head} {...(headRepo ? { of: headRepo } : {})} />
      <Button type="submit" kind="primary">
        {text.compare}
      </Button>
    </form>
  );
}

function Difference({ base, head, headRepo }: Compared) {
  const path = { ...useRepositoryPath(), basehead: `${base}...${head}` };
  const query = headRepo === undefined ? {} : { head_repo: headRepo };
  const comparison = $api.useQuery("get", "/repos/{owner}/{repo}/compare/{basehead}", {
    params: { path, query },
  });
  if (isNotFound(comparison.error)) return <Notice tone="warn">{text.notComparable}</Notice>;
  return (
    <QueryView query={comparison} lines={8}>
      {(found) => <Found comparison={found} {...{ base, head, headRepo }} />}
    </QueryView>
  );
}

function Found({ comparison, base, head, headRepo }: Compared & { comparison: Schemas["Comparison"] }) {
  const { status, ahead_by, behind_by, commits, merge_base_commit: mergeBase } = comparison;
  if (status === "identical") return <Notice>{text.identical(base, head)}</Notice>;
  const canCompareFiles = ahead_by > 0 && (headRepo === undefined || mergeBase !== null);
  return (
    <>
      <p>{text.aheadBehind({ head, base }, { ahead: ahead_by, behind: behind_by })}</p>
      {ahead_by === 0 || headRepo !== undefined ? null : <CreateMergeRequest source={head} target={base} />}
      <InRepository name={headRepo}>
        {commits.length === 0 ? null : (
          <Section title={text.commits}>
            <CommitList commits={commits} gitRef={head} />
            {ahead_by > commits.length ? <p>{text.newestCommits(commits.length)}</p> : null}
          </Section>
        )}
        {canCompareFiles ? <ComparedFiles comparison={comparison} /> : null}
      </InRepository>
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
