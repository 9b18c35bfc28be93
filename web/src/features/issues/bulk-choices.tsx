/** The changes that can be made to several issues at once. */
import { text } from "../../text/issues.ts";
import { text as items } from "../../text/work-items.ts";
import { Button } from "../../ui/button.tsx";
import { ChooserPopup } from "../work-items/chooser-popup.tsx";
import {
  labelChoice,
  milestoneChoice,
  personChoice,
  typedPerson,
  useLabels,
  useMilestones,
  usePeople,
} from "../work-items/choices.tsx";
import type { BulkChange } from "./bulk-bar.tsx";
import styles from "./bulk-bar.module.css";
import type { Issue } from "./use-issues.ts";

export interface BulkChoicesProps {
  selected: readonly Issue[];
  isBusy: boolean;
  onChange: (change: BulkChange) => void;
}

export function BulkChoices(props: BulkChoicesProps) {
  const { selected, isBusy, onChange } = props;
  const mayClose = selected.some(({ state }) => state === "open");
  const mayReopen = selected.some(({ state }) => state === "closed");
  return (
    <div className={styles.choices}>
      <AddLabels {...props} />
      <RemoveLabels {...props} />
      <Assign {...props} />
      <SetMilestone {...props} />
      {mayClose ? (
        <Button disabled={isBusy} onClick={() => onChange({ state: "closed" })}>
          {text.close}
        </Button>
      ) : null}
      {mayReopen ? (
        <Button disabled={isBusy} onClick={() => onChange({ state: "open" })}>
          {text.reopen}
        </Button>
      ) : null}
    </div>
  );
}

const labelTexts = { label: items.filterLabels, nothingFits: items.noLabelFits, chosen: [] };

function AddLabels({ onChange }: BulkChoicesProps) {
  const useChooser = () => {
    const labels = useLabels();
    return (
      labels && {
        ...labelTexts,
        choices: labels.map(labelChoice),
        onChange: (names: string[]) => onChange({ add_labels: names }),
      }
    );
  };
  return (
    <ChooserPopup label={text.addLabel} useChooser={useChooser}>
      {text.addLabel}
    </ChooserPopup>
  );
}

function RemoveLabels({ selected, onChange }: BulkChoicesProps) {
  const labels = new Map(selected.flatMap((issue) => issue.labels.map((label) => [label.name, label])));
  if (labels.size === 0) return null;
  const useChooser = () => ({
    ...labelTexts,
    choices: [...labels.values()].map(labelChoice),
    onChange: (names: string[]) => onChange({ remove_labels: names }),
  });
  return (
    <ChooserPopup label={text.removeLabel} useChooser={useChooser}>
      {text.removeLabel}
    </ChooserPopup>
  );
}

function Assign({ selected, onChange }: BulkChoicesProps) {
  const useChooser = () => ({
    label: items.filterPeople,
    nothingFits: items.noPersonFits,
    choices: usePeople(selected.flatMap(({ assignees }) => assignees)).map(personChoice),
    chosen: [],
    typedChoice: typedPerson,
    onChange: (names: string[]) => onChange({ add_assignees: names }),
  });
  return (
    <ChooserPopup label={text.assign} useChooser={useChooser}>
      {text.assign}
    </ChooserPopup>
  );
}

function SetMilestone({ onChange }: BulkChoicesProps) {
  const useChooser = () => {
    const milestones = useMilestones();
    const none = { key: "", words: items.noMilestone, shown: items.noMilestone };
    return (
      milestones && {
        label: items.filterMilestones,
        nothingFits: items.noMilestoneFits,
        single: true,
        choices: [none, ...milestones.map(milestoneChoice)],
        chosen: [],
        onChange: ([id]: string[]) => onChange({ milestone: id || null }),
      }
    );
  };
  return (
    <ChooserPopup label={text.setMilestone} useChooser={useChooser}>
      {text.setMilestone}
    </ChooserPopup>
  );
}
