/** Labels, people, milestone and due date of an item, for those with Triage to choose. A choice counts at once. */
import type { ReactNode } from "react";
import { Link } from "react-router";
import { useSession } from "../../api/session.ts";
import { text } from "../../text/work-items.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Button } from "../../ui/button.tsx";
import { LabelChip } from "../labels/label-chip.tsx";
import { ChooserPopup } from "./chooser-popup.tsx";
import {
  labelChoice,
  milestoneChoice,
  personChoice,
  typedPerson,
  useLabels,
  useMilestones,
  usePeople,
  type AssignedPerson,
} from "./choices.tsx";
import { DueDate } from "./due-date.tsx";
import styles from "./side-column.module.css";
import { SideField, useField } from "./side-field.tsx";
import type { SideChange, SideValues } from "./side-values.ts";

export interface SideColumnProps {
  values: SideValues;
  mayTriage: boolean;
  /** False: closed; then nothing is overdue. */
  isOpen?: boolean;
  /** Offered as assignees besides those who are found otherwise. */
  people: readonly AssignedPerson[];
  save: (change: SideChange) => Promise<unknown>;
  /** Further parts, such as reviewers. */
  children?: ReactNode;
}

export function SideColumn(props: SideColumnProps) {
  return (
    <aside className={styles.column} aria-label={text.side}>
      {props.children}
      <Assignees {...props} />
      <Labels {...props} />
      <Milestone {...props} />
      <DueDate
        dueOn={props.values.due_on}
        mayTriage={props.mayTriage}
        isOpen={props.isOpen ?? true}
        save={props.save}
      />
    </aside>
  );
}

function Labels({ values, mayTriage, save }: SideColumnProps) {
  const { shown, choose, problem } = useField(values.labels, (labels) => save({ labels }));
  const useChooser = () => {
    const known = useLabels();
    if (!known) return undefined;
    const all = [...known, ...shown.filter((label) => !known.some(({ name }) => name === label.name))];
    return {
      label: text.filterLabels,
      nothingFits: text.noLabelFits,
      choices: all.map(labelChoice),
      chosen: shown.map(({ name }) => name),
      // In the order of choosing: of two labels of one scope the later one stays.
      onChange: (names: string[]) =>
        choose(names.flatMap((name) => all.find((label) => label.name === name) ?? [])),
    };
  };
  return (
    <SideField
      title={text.labels}
      problem={problem}
      trigger={
        mayTriage ? (
          <ChooserPopup label={text.labels} kind="quiet" useChooser={useChooser}>
            {text.labels}
          </ChooserPopup>
        ) : null
      }
    >
      {shown.length === 0 ? text.noLabels : null}
      {shown.map(({ id, name, color }) => (
        <LabelChip key={id} name={name} color={color} />
      ))}
    </SideField>
  );
}

function Assignees({ values, mayTriage, people, save }: SideColumnProps) {
  const session = useSession();
  const { shown, choose, problem } = useField(values.assignees, (assignees) => save({ assignees }));
  const useChooser = () => {
    const offered = usePeople([...shown, ...people]);
    return {
      label: text.filterPeople,
      nothingFits: text.noPersonFits,
      choices: offered.map(personChoice),
      chosen: shown.map(({ username }) => username),
      typedChoice: typedPerson,
      onChange: (names: string[]) =>
        choose(names.map((name) => offered.find(({ username }) => username === name) ?? { username: name })),
    };
  };
  return (
    <SideField
      title={text.assignees}
      problem={problem}
      trigger={
        mayTriage ? (
          <ChooserPopup label={text.assignees} kind="quiet" useChooser={useChooser}>
            {text.assignees}
          </ChooserPopup>
        ) : null
      }
    >
      {shown.length === 0 ? text.nobody : null}
      {shown.map(({ username, avatar_url: picture }) => (
        <span key={username} className={styles.person}>
          {picture === undefined ? null : <Avatar src={picture} />}
          <Link to={`/${username}`}>{username}</Link>
        </span>
      ))}
      {mayTriage && session && shown.length === 0 ? (
        <Button kind="quiet" onClick={() => choose([session.user])}>
          {text.assignSelf}
        </Button>
      ) : null}
    </SideField>
  );
}

function Milestone({ values, mayTriage, save }: SideColumnProps) {
  const { shown, choose, problem } = useField(values.milestone, (milestone) => save({ milestone }));
  const useChooser = () => {
    const known = useMilestones();
    if (!known) return undefined;
    const all = shown && !known.some(({ id }) => id === shown.id) ? [...known, shown] : known;
    return {
      label: text.filterMilestones,
      nothingFits: text.noMilestoneFits,
      single: true,
      choices: all.map(milestoneChoice),
      chosen: shown ? [shown.id] : [],
      onChange: ([wanted]: string[]) => choose(all.find(({ id }) => id === wanted) ?? null),
    };
  };
  return (
    <SideField
      title={text.milestone}
      problem={problem}
      trigger={
        mayTriage ? (
          <ChooserPopup label={text.milestone} kind="quiet" useChooser={useChooser}>
            {text.milestone}
          </ChooserPopup>
        ) : null
      }
    >
      {shown ? shown.title : text.noMilestone}
    </SideField>
  );
}
