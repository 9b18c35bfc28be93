/** Creates a merge request: two branches are chosen, what would be merged is shown, and then it is described. */
import { useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { $api } from "../../api/client.ts";
import { isNotFound } from "../../api/problem.ts";
import { text } from "../../text/merge-requests.ts";
import { Button } from "../../ui/button.tsx";
import { SelectField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { RefField } from "../branches/ref-fields.tsx";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import { newMergeRequestAddress } from "./addresses.ts";
import { ForeignProposal } from "./foreign-proposal.tsx";
import { NewMergeRequestForm } from "./new-merge-request-form.tsx";
import styles from "./new-merge-request-page.module.css";
import { ConflictNotice, ProposedChanges } from "./proposed-changes.tsx";
import { useSources } from "./use-sources.ts";

/**
 * `?source=&target=` name the branches, and `source_repo` a fork with the first one; without a target, the default branch, and without
 * a fork, the first repository from which the reader may propose something.
 */
export function NewMergeRequestPage() {
  const repository = useRepository();
  const [query] = useSearchParams();
  const named = query.get("source_repo") ?? "";
  const source = query.get("source") ?? "";
  const target = query.get("target") || repository.default_branch;
  const sources = useSources(named);
  const from = named || (sources?.[0] ?? "");
  return (
    <Page title={text.new} within={repository.full_name}>
      {sources === undefined ? null : sources.length === 0 ? (
        <Notice>{text.mayNotCreate}</Notice>
      ) : (
        <>
          <Choice key={`${from}:${source}...${target}`} {...{ sources, from, source, target }} />
          <Chosen from={from} source={source} target={target} />
        </>
      )}
    </Page>
  );
}

interface Branches {
  source: string;
  target: string;
}

/** Full name of the repository with the source branch. */
type FromBranches = Branches & { from: string };

function Choice({ sources, from, source, target }: FromBranches & { sources: readonly string[] }) {
  const repository = useRepository();
  const navigate = useNavigate();
  const [chosenFrom, setFrom] = useState(from);
  const show = (form: HTMLFormElement) => {
    const values = new FormData(form);
    const chosen = (name: string) => {
      const value = values.get(name);
      return typeof value === "string" ? value.trim() : "";
    };
    const wanted = { source: chosen("source"), target: chosen("target") };
    const sourceRepo = chosen("source_repo") || from;
    const isHere = sourceRepo === repository.full_name;
    void navigate(
      newMergeRequestAddress(repository, isHere ? wanted : { ...wanted, source_repo: sourceRepo }),
    );
  };
  return (
    <form
      className={styles.choice}
      onSubmit={(event) => {
        event.preventDefault();
        show(event.currentTarget);
      }}
    >
      {sources.length === 1 && from === repository.full_name ? null : (
        <SelectField
          name="source_repo"
          label={text.sourceRepo}
          value={chosenFrom}
          onChange={(event) => setFrom(event.target.value)}
        >
          {sources.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </SelectField>
      )}
      <RefField name="source" label={text.source} defaultValue={source} of={chosenFrom} />
      <RefField name="target" label={text.target} defaultValue={target} />
      <Button type="submit" kind={source === "" ? "primary" : "normal"}>
        {text.compare}
      </Button>
    </form>
  );
}

function Chosen({ from, source, target }: FromBranches) {
  const repository = useRepository();
  if (source === "") return <p>{text.chooseHint}</p>;
  if (from !== repository.full_name) return <Foreign from={from} source={source} target={target} />;
  if (source === target) return <Notice tone="warn">{text.same}</Notice>;
  return <Compared source={source} target={target} />;
}

const listed = 100;

/** The open one with these branches; null: there is none. Undefined until it is known. */
function useExisting({ from, source, target }: FromBranches): Schemas["MergeRequest"] | null | undefined {
  const query = { source_branch: source, target_branch: target, per_page: listed };
  const existing = $api.useQuery("get", "/repos/{owner}/{repo}/merge-requests", {
    params: { path: useRepositoryPath(), query },
  });
  return existing.data && (existing.data.find((each) => each.source_repo?.full_name === from) ?? null);
}

function Foreign(branches: FromBranches) {
  const open = useExisting(branches);
  if (open === undefined) return null;
  if (open !== null) return <IsOpen mergeRequest={open} />;
  const { from, ...rest } = branches;
  return <ForeignProposal sourceRepo={from} {...rest} />;
}

function Compared({ source, target }: Branches) {
  const path = useRepositoryPath();
  const { full_name: from } = useRepository();
  const comparison = $api.useQuery("get", "/repos/{owner}/{repo}/compare/{basehead}", {
    params: { path: { ...path, basehead: `${target}...${source}` }, query: { conflicts: "true" } },
  });
  const open = useExisting({ from, source, target });
  if (isNotFound(comparison.error)) return <Notice tone="warn">{text.notComparable}</Notice>;
  return (
    <QueryView query={comparison} lines={8}>
      {(found) =>
        found.ahead_by === 0 ? (
          <Notice>{text.nothingToMerge(source, target)}</Notice>
        ) : (
          <>
            {open ? <IsOpen mergeRequest={open} /> : null}
            <ConflictNotice paths={found.conflicts} target={target} />
            {open === null ? (
              <NewMergeRequestForm
                source={source}
                target={target}
                messages={found.commits.map(({ message }) => message)}
              />
            ) : null}
            <ProposedChanges comparison={found} source={source} />
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
