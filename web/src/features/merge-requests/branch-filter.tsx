/** Narrows a list of merge requests to a branch: one that is here, or one whose name is typed. */
import { text } from "../../text/merge-requests.ts";
import { useOfferedBranches } from "../branches/ref-fields.tsx";
import { ChooserPopup } from "../work-items/chooser-popup.tsx";
import type { Choice } from "../work-items/chooser.tsx";
import { NameAndChosen, type FilterProps } from "../work-items/list-filters.tsx";

export function BranchFilter({ label, value, onChange }: FilterProps & { label: string }) {
  const useChooser = () => {
    const branches = useOfferedBranches();
    if (branches.isPending) return undefined;
    const names = (branches.data ?? []).map(({ name }) => name);
    // Branches of forks, and those that are gone, have merge requests too.
    const isElsewhere = value !== undefined && !names.includes(value);
    return {
      label: text.findBranch,
      nothingFits: text.noBranchFits,
      single: true,
      choices: [...names, ...(isElsewhere ? [value] : [])].map((name) => branchChoice(name, name)),
      chosen: value === undefined ? [] : [value],
      typedChoice: typedBranch,
      onChange: ([name = ""]: string[]) => onChange(name),
    };
  };
  return (
    <ChooserPopup label={label} useChooser={useChooser}>
      <NameAndChosen label={label} value={value} />
    </ChooserPopup>
  );
}

function branchChoice(name: string, shown: string): Choice {
  return { key: name, words: name, shown };
}

function typedBranch(typed: string): Choice | undefined {
  return typed === "" ? undefined : branchChoice(typed, text.useBranch(typed));
}
