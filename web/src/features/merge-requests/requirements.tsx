/** What the rules for the target branch want of a merge request, and what is there: reviews, code owners, runs and jobs. */
import { CircleAlert, CircleCheck, LoaderCircle } from "lucide-react";
import { Link } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text as ofCommits } from "../../text/commits.ts";
import { text } from "../../text/merge-requests.ts";
import { useRepository } from "../repositories/use-repository.ts";
import { Line } from "./merge-box-line.tsx";
import type { Requirements } from "./early-answers.ts";
import styles from "./merge-box.module.css";

export function RequirementLines({ approvals, checks }: Requirements) {
  const { merge_request_pipelines: kind } = useRepository();
  const { required, given, missing, by, code_owners: owners } = approvals;
  const names = by.filter(({ counts, state }) => counts && state === "approved");
  return (
    <>
      {required > 0 ? (
        <State good={missing === 0}>
          {text.approvalsOf(given, required)}
          {names.length > 0 ? ` (${names.map(({ user }) => `@${user.username}`).join(", ")})` : ""}
        </State>
      ) : null}
      {approvals.lacks_other_approver ? <State good={false}>{text.lacksOther}</State> : null}
      {owners.map(({ pattern, section, owners: named, missing: more }) => (
        <State key={`${section ?? ""} ${pattern}`} good={more === 0}>
          {text.ownersOf} <code>{pattern}</code>
          {more === 0 ? "" : `: ${text.ownersMissing(more, named.join(" "))}`}
        </State>
      ))}
      <UnsignedCommits approvals={approvals} />
      {checks.length > 0 ? <p className={styles.soft}>{text.checksOf[kind]}</p> : null}
      {checks.map((check) => (
        <Check key={`${check.pipeline}#${check.job ?? ""}`} check={check} />
      ))}
    </>
  );
}

function UnsignedCommits({ approvals }: Pick<Requirements, "approvals">) {
  const { unsigned_commits: commits, strategies } = approvals;
  if (commits.length === 0) return null;
  const canSquash = strategies.includes("squash");
  return (
    <Line icon={<CircleAlert size={18} aria-hidden />} tone={canSquash ? "soft" : "bad"}>
      {text.unsigned}{" "}
      {commits.map(({ sha, reason }) => (
        <span key={sha}>
          <code>{sha.slice(0, 12)}</code>:{" "}
          {reason === "too_large" ? text.tooLargeToCheck : ofCommits.signatureReasons[reason]}{" "}
        </span>
      ))}
      {canSquash ? text.squashUnsigned : text.signThem}
    </Line>
  );
}

function Check({ check }: { check: Schemas["MergeRequestCheck"] }) {
  const { full_name: fullName } = useRepository();
  const { pipeline, job, state, run } = check;
  const name = <code>{job === null ? pipeline : `${pipeline}#${job}`}</code>;
  const isGood = state === "passed" || state === "skipped";
  return (
    <State good={isGood} waits={state === "running"}>
      {run ? <Link to={`/${fullName}/pipelines/${run.number}`}>{name}</Link> : name} {text.checkStates[state]}
    </State>
  );
}

function State(props: { good: boolean; waits?: boolean; children: React.ReactNode }) {
  if (props.good)
    return (
      <Line icon={<CircleCheck size={18} aria-hidden />} tone="good">
        {props.children}
      </Line>
    );
  const Icon = props.waits ? LoaderCircle : CircleAlert;
  return (
    <Line
      icon={<Icon size={18} aria-hidden className={props.waits ? styles.turning : undefined} />}
      tone={props.waits ? "soft" : "bad"}
    >
      {props.children}
    </Line>
  );
}
