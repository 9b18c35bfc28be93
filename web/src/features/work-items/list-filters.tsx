/** What narrows a list of issues or merge requests. Each filter counts at once; the search with Enter or when its field is left. */
import { maxQueryChars } from "@forgeline/client/generated/choices.ts";
import { Search } from "lucide-react";
import { useId, type KeyboardEvent } from "react";
import { text } from "../../text/list-filters.ts";
import { text as items } from "../../text/work-items.ts";
import { labelNames } from "./address-filters.ts";
import { ChooserPopup } from "./chooser-popup.tsx";
import {
  labelChoice,
  milestoneChoice,
  personChoice,
  typedPerson,
  useLabels,
  useMilestones,
  usePeople,
} from "./choices.tsx";
import type { Choice } from "./chooser.tsx";
import styles from "./list-filters.module.css";

export interface FilterProps {
  /** As the address has it. */
  value: string | undefined;
  /** With nothing: any. */
  onChange: (value: string) => void;
}

export function SearchFilter({ value = "", onChange }: FilterProps) {
  const id = useId();
  const take = (typed: string) => {
    if (typed.trim() !== value) onChange(typed);
  };
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "Enter") take(event.currentTarget.value);
  };
  return (
    <div className={styles.search}>
      <label htmlFor={id} className="visually-hidden">
        {text.search}
      </label>
      <Search size={15} aria-hidden />
      <input
        // The address may change by itself (back, "clear filters"): the field follows.
        key={value}
        id={id}
        type="search"
        maxLength={maxQueryChars}
        placeholder={text.search}
        defaultValue={value}
        onBlur={(event) => take(event.target.value)}
        onKeyDown={press}
      />
    </div>
  );
}

export function LabelFilter({ value, onChange }: FilterProps) {
  const chosen = labelNames(value);
  const useChooser = () => {
    const labels = useLabels();
    return (
      labels && {
        label: items.filterLabels,
        nothingFits: items.noLabelFits,
        choices: labels.map(labelChoice),
        chosen,
        onChange: (names: string[]) => onChange(names.join(",")),
      }
    );
  };
  return (
    <ChooserPopup label={text.label} useChooser={useChooser}>
      <NameAndChosen label={text.label} value={chosen.join(", ")} />
    </ChooserPopup>
  );
}

/** As the API has it, for what is not there. No milestone or user is called so here. */
const none = "none";

function noneChoice(words: string): Choice {
  return { key: none, words, shown: words };
}

export function MilestoneFilter({ value, onChange }: FilterProps) {
  const useChooser = () => {
    const milestones = useMilestones();
    return (
      milestones && {
        label: items.filterMilestones,
        nothingFits: items.noMilestoneFits,
        single: true,
        choices: [
          noneChoice(text.withoutMilestone),
          // By their titles, which is what the address says.
          ...milestones.map((milestone) => ({ ...milestoneChoice(milestone), key: milestone.title })),
        ],
        chosen: value === undefined ? [] : [value],
        onChange: ([title = ""]: string[]) => onChange(title),
      }
    );
  };
  return (
    <ChooserPopup label={text.milestone} useChooser={useChooser}>
      <NameAndChosen label={text.milestone} value={shown(value)} />
    </ChooserPopup>
  );
}

export interface PersonFilterProps extends FilterProps {
  label: string;
  /** What nobody is called, where that can be asked for. */
  nobody?: string;
}

export function PersonFilter({ label, nobody, value, onChange }: PersonFilterProps) {
  const useChooser = () => {
    const people = usePeople(value === undefined || value === none ? [] : [{ username: value }]);
    return {
      label: items.filterPeople,
      nothingFits: items.noPersonFits,
      single: true,
      choices: [...(nobody === undefined ? [] : [noneChoice(nobody)]), ...people.map(personChoice)],
      chosen: value === undefined ? [] : [value],
      typedChoice: typedPerson,
      onChange: ([username = ""]: string[]) => onChange(username),
    };
  };
  return (
    <ChooserPopup label={label} useChooser={useChooser}>
      <NameAndChosen label={label} value={shown(value)} />
    </ChooserPopup>
  );
}

function shown(value: string | undefined): string | undefined {
  return value === none ? text.none : value;
}

/** On the button of a filter: its name, and what is chosen. */
export function NameAndChosen({ label, value }: { label: string; value: string | undefined }) {
  return value ? <Chosen>{text.filtered(label, value)}</Chosen> : <>{label}</>;
}

/** On the button of a filter that narrows the list. */
export function Chosen({ children }: { children: string }) {
  return <span className={styles.chosen}>{children}</span>;
}
