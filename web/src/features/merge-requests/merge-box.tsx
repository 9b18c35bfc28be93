/** Whether it can be merged, and the way to do it; of one that has ended, how. */
import { CircleAlert, CircleCheck, GitPullRequestDraft, LoaderCircle } from "lucide-react";
import { Link } from "react-router";
import { mergeStrategies } from "@forgeline/client/generated/choices.ts";
import { text } from "../../text/merge-requests.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { CopyBlock } from "../../ui/copy-field.tsx";
import { mergeRequestAddress } from "./addresses.ts";
import { AutoMergeButton, AutoMergeLine, canWait } from "./auto-merge.tsx";
import { CloseButton } from "./close-button.tsx";
import { BypassButton } from "./bypass-button.tsx";
import { RequirementLines } from "./requirements.tsx";
import { useRequirements } from "./use-requirements.ts";
import { DraftButton } from "./draft-button.tsx";
import { EndedBox } from "./ended-box.tsx";
import { MergeForm } from "./merge-form.tsx";
import { Line } from "./merge-box-line.tsx";
import { TestedResult } from "./tested-result.tsx";
import { UpdateBranch } from "../merge-request-branches/update-branch.tsx";
import { QueueLine } from "../merge-queue/queue-line.tsx";
import { useRepository } from "../repositories/use-repository.ts";
import styles from "./merge-box.module.css";
import type { MergeRequest } from "./merge-request.ts";
import { quoted } from "./quoted.ts";
import { isForeign } from "./source-name.ts";

export function MergeBox({ mergeRequest }: { mergeRequest: MergeRequest }) {
  return (
    <section className={styles.box} aria-label={text.mergeTitle} data-state={mergeRequest.state}>
      {mergeRequest.state === "open" ? (
        <Open mergeRequest={mergeRequest} />
      ) : (
        <EndedBox mergeRequest={mergeRequest} />
      )}
    </section>
  );
}

function Open({ mergeRequest }: { mergeRequest: MergeRequest }) {
  const { draft, mergeable, target_branch: target, viewer_may: may } = mergeRequest;
  const { permissions: level } = useRepository();
  // A draft is blocked by that alone, which its own line says; what comes later may block besides.
  const isBlocked = !draft && mergeRequest.blocked_by.length > 0;
  // While branches are compared again, what was chosen and what went wrong stays on the page.
  const requirements = useRequirements(mergeRequest);
  const strategies = requirements?.approvals.strategies ?? mergeStrategies;
  const isReady = (mergeable === "clean" || mergeable === "checking") && !draft && !isBlocked;
  const byQueue = requirements?.approvals.merge_queue ?? false;
  const mayBypass = (mergeable === "blocked" || byQueue) && requirements?.approvals.viewer_may.bypass;
  return (
    <>
      {draft ? (
        <Line icon={<GitPullRequestDraft size={18} aria-hidden />} tone="soft">
          {text.isDraft}
        </Line>
      ) : null}
      <Mergeability mergeRequest={mergeRequest} />
      {mergeRequest.source_problem === null ? null : (
        <Line icon={<CircleAlert size={18} aria-hidden />} tone="bad">
          {mergeRequest.source_problem}
        </Line>
      )}
      <WaitingRun mergeRequest={mergeRequest} />
      <UpdateBranch mergeRequest={mergeRequest} />
      <TestedResult mergeRequest={mergeRequest} />
      {isBlocked ? (
        // Each reason once: most have lines of their own, which say more.
        <Blocked reasons={requirements?.approvals.other_reasons ?? mergeRequest.blocked_by} />
      ) : null}
      {requirements ? <RequirementLines {...requirements} /> : null}
      {!draft && mayBypass ? <BypassButton mergeRequest={mergeRequest} strategies={strategies} /> : null}
      {mergeRequest.merge_queue ? (
        <QueueLine mergeRequest={mergeRequest} place={mergeRequest.merge_queue} />
      ) : null}
      {isReady && may.merge && requirements && !mergeRequest.merge_queue ? (
        <MergeForm mergeRequest={mergeRequest} allowed={strategies} byQueue={byQueue} />
      ) : null}
      <AutoMergeLine mergeRequest={mergeRequest} />
      {may.merge && mergeRequest.auto_merge === null && strategies.length > 0 && canWait(mergeRequest) ? (
        <AutoMergeButton mergeRequest={mergeRequest} strategies={strategies} />
      ) : null}
      {isReady && !may.merge ? <p className={styles.soft}>{mayNotMerge(target, level)}</p> : null}
      {may.edit || may.close ? (
        <div className={styles.actions}>
          {may.edit ? <DraftButton draft={draft} /> : null}
          {may.close ? <CloseButton /> : null}
        </div>
      ) : null}
    </>
  );
}

/** Who has Write is kept away by a rule. */
function mayNotMerge(target: string, level: string): string {
  return ["write", "maintain", "admin"].includes(level) ? text.closedToYou(target) : text.mayNotMerge(target);
}

function Mergeability({ mergeRequest }: { mergeRequest: MergeRequest }) {
  const { mergeable, conflicts, target_branch: target, draft } = mergeRequest;
  if (mergeable === "checking")
    return (
      <Line icon={<LoaderCircle size={18} aria-hidden className={styles.turning} />} tone="soft">
        {text.checking}
      </Line>
    );
  if (mergeable === "conflict")
    return (
      <>
        <Line icon={<CircleAlert size={18} aria-hidden />} tone="bad">
          {text.conflict(target)}
        </Line>
        <Conflicts mergeRequest={mergeRequest} paths={conflicts} />
      </>
    );
  if (mergeable === "blocked" && !draft) return null;
  return (
    <Line icon={<CircleCheck size={18} aria-hidden />} tone="good">
      {text.clean(target)}
    </Line>
  );
}

/** One from a fork says nothing to the rules before somebody has approved it. */
function WaitingRun({ mergeRequest: { pipeline } }: { mergeRequest: MergeRequest }) {
  const { full_name: fullName } = useRepository();
  if (pipeline?.status !== "awaiting_approval") return null;
  return (
    <Line icon={<CircleAlert size={18} aria-hidden />} tone="soft">
      <Link to={`/${fullName}/pipelines/${pipeline.number}`}>{text.pipelineNumber(pipeline.number)}</Link>{" "}
      {text.waitsForApproval}
    </Line>
  );
}

/** As many as the server lists. */
const listedConflicts = 100;

function Conflicts({ mergeRequest, paths }: { mergeRequest: MergeRequest; paths: readonly string[] }) {
  const { number, source_branch: source, target_branch: target, viewer_may: may } = mergeRequest;
  const repository = useRepository();
  const { id, clone_urls: urls } = repository;
  const isElsewhere = isForeign(mergeRequest, id);
  const commands = isElsewhere
    ? [`git switch ${quoted(source)}`, `git pull --no-rebase ${urls.https} ${quoted(target)}`, "git push"]
    : [
        "git fetch origin",
        `git switch ${quoted(source)}`,
        `git merge ${quoted(`origin/${target}`)}`,
        "git push",
      ];
  return (
    <div className={styles.conflicts}>
      {paths.length === 0 ? null : (
        <>
          <p>{text.conflictHint}</p>
          <ul>
            {paths.map((path) => (
              <li key={path}>
                <code>{path}</code>
              </li>
            ))}
          </ul>
        </>
      )}
      {paths.length >= listedConflicts ? <p>{text.conflictMore}</p> : null}
      {(may.merge || (isElsewhere && may.edit)) && paths.length > 0 ? (
        <div>
          <ButtonLink to={mergeRequestAddress(repository, number, "conflicts")} kind="primary">
            {text.resolveHere}
          </ButtonLink>
        </div>
      ) : null}
      {may.merge || (isElsewhere && may.edit) ? (
        <>
          <p>{isElsewhere ? text.solveElsewhere : text.solve}</p>
          <CopyBlock value={commands.join("\n")} label={text.solveCommands} />
        </>
      ) : null}
    </div>
  );
}

function Blocked({ reasons }: { reasons: readonly string[] }) {
  return (
    <div>
      <Line icon={<CircleAlert size={18} aria-hidden />} tone="bad">
        {text.blocked}
      </Line>
      {reasons.length > 0 ? (
        <ul>
          {reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}
