/** Who is to review a merge request, and what they say. The author, and those with Triage, choose. */
import { RefreshCw } from "lucide-react";
import { Link } from "react-router";
import { useSession } from "../../api/session.ts";
import { text } from "../../text/reviews.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { IconButton } from "../../ui/button.tsx";
import { useAction } from "../../ui/use-action.ts";
import type { MergeRequest } from "../merge-requests/merge-request.ts";
import { teamPath, useTeams } from "../organizations/use-teams.ts";
import { useRepository } from "../repositories/use-repository.ts";
import { ChooserPopup } from "../work-items/chooser-popup.tsx";
import { personChoice, typedPerson, usePeople } from "../work-items/choices.tsx";
import type { Choice, ChooserProps } from "../work-items/chooser.tsx";
import { SideField, useField } from "../work-items/side-field.tsx";
import styles from "./reviewers-field.module.css";
import type { ReviewCalls } from "./review-calls.ts";
import type { Review, Reviewer } from "./review.ts";
import { ReviewerState } from "./reviewer-state.tsx";
import { useReviewCalls, useReviewers, useReviews } from "./use-reviews.ts";

export function ReviewersField({ mergeRequest }: { mergeRequest: MergeRequest }) {
  const calls = useReviewCalls();
  const { data: reviewers = [] } = useReviewers();
  const { data: reviews = [] } = useReviews(mergeRequest);
  const asked = reviewers.filter(({ reason }) => reason === "requested").map(nameOf);
  const { shown, choose, problem } = useField(asked, (names) => ask(calls, names, reviewers));
  const mayAsk = useMayAsk(mergeRequest);
  const askAgain = (reviewer: Reviewer) => () =>
    calls.askAgain(reviewer.team === null ? { again: [nameOf(reviewer)] } : { teams_again: [reviewer.team] });
  const rows = reviewers.filter(
    (reviewer) => reviewer.reason !== "requested" || shown.includes(nameOf(reviewer)),
  );
  return (
    <SideField
      title={text.reviewers}
      problem={problem}
      trigger={
        mayAsk ? (
          <ChooserPopup
            label={text.reviewers}
            kind="quiet"
            useChooser={() =>
              useReviewerChoices({ reviewers, mergeRequest, chosen: shown, onChange: choose })
            }
          >
            {text.reviewers}
          </ChooserPopup>
        ) : null
      }
    >
      {rows.length === 0 ? text.noReviewers : null}
      {rows.length > 0 ? (
        <ul className={styles.list}>
          {rows.map((reviewer) => (
            <Row
              key={`${nameOf(reviewer)} ${reviewer.reason}`}
              {...{ reviewer, reviews }}
              again={mayAsk && reviewer.state !== "waiting" ? askAgain(reviewer) : undefined}
            />
          ))}
        </ul>
      ) : null}
    </SideField>
  );
}

function useMayAsk({ author, viewer_may: may }: MergeRequest): boolean {
  const session = useSession();
  return may.triage || (may.edit && session !== null && session.user.id === author?.id);
}

/** A team has its organization before it, and so has a bot: the list knows which is which. */
function isTeam(name: string, reviewers: readonly Reviewer[]): boolean {
  const known = reviewers.find((reviewer) => nameOf(reviewer) === name);
  return known ? known.team !== null : name.includes("/");
}

function ask(calls: ReviewCalls, names: readonly string[], reviewers: readonly Reviewer[]) {
  return calls.ask(
    names.filter((name) => !isTeam(name, reviewers)),
    names.filter((name) => isTeam(name, reviewers)),
  );
}

function nameOf({ user, team }: Reviewer): string {
  return user?.username ?? team ?? "";
}

interface Choosing {
  reviewers: readonly Reviewer[];
  mergeRequest: MergeRequest;
  chosen: readonly string[];
  onChange: (names: string[]) => void;
}

function useReviewerChoices({ reviewers, mergeRequest, chosen, onChange }: Choosing): ChooserProps {
  const known = reviewers.flatMap(({ user }) => user ?? []);
  const people = usePeople(known).filter(({ username }) => username !== mergeRequest.author?.username);
  const teams = useTeamNames();
  const all = [...people.map(personChoice), ...teams.map(teamChoice)];
  const missing = chosen.filter((name) => !all.some(({ key }) => key === name));
  return {
    label: text.findReviewer,
    nothingFits: text.noReviewerFits,
    choices: [...all, ...missing.map(teamChoice)],
    chosen,
    typedChoice: typedPerson,
    onChange,
  };
}

/** Of the organization that owns the repository; a user has none. */
function useTeamNames(): string[] {
  const { owner } = useRepository();
  const isOrg = owner.type === "org";
  const { data = [] } = useTeams(owner.name, isOrg);
  return data.map((team) => `${owner.name}/${teamPath(team)}`);
}

function teamChoice(name: string): Choice {
  return {
    key: name,
    words: name,
    shown: (
      <>
        {name} <span className={styles.kind}>{text.team}</span>
      </>
    ),
  };
}

interface RowProps {
  reviewer: Reviewer;
  reviews: readonly Review[];
  /** Undefined where nobody is asked once more. */
  again: (() => Promise<unknown>) | undefined;
}

function Row({ reviewer, reviews, again }: RowProps) {
  const { user, team, reason, pattern } = reviewer;
  const last = reviews.findLast(({ author, state }) => author?.id === user?.id && state === reviewer.state);
  return (
    <li className={styles.row}>
      <span className={styles.who}>
        {user ? (
          <>
            <Avatar src={user.avatar_url} />{" "}
            {user.type === "bot" ? user.username : <Link to={`/${user.username}`}>{user.username}</Link>}
          </>
        ) : (
          team
        )}
        {reason === "code_owner" && pattern !== null ? (
          <span className={styles.kind}>{text.codeOwner(pattern)}</span>
        ) : null}
      </span>
      <span className={styles.end}>
        {again ? <AskAgain name={nameOf(reviewer)} again={again} /> : null}
        <ReviewerState state={reviewer.state} stale={user !== null && last?.stale === true} />
      </span>
    </li>
  );
}

function AskAgain({ name, again }: { name: string; again: () => Promise<unknown> }) {
  const change = useAction(again, { said: text.askedAgain(name) });
  return (
    <IconButton label={text.askAgain(name)} onClick={change.start}>
      <RefreshCw aria-hidden />
    </IconButton>
  );
}
