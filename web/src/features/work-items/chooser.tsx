/** A list to choose from, with a field that finds in it, drawn in a panel (`popup.tsx`). Arrow keys and Enter choose. */
import { Combobox } from "@base-ui/react/combobox";
import { Check } from "lucide-react";
import { useState, type ReactNode } from "react";
import styles from "./chooser.module.css";

export interface Choice {
  key: string;
  /** By which it is found. */
  words: string;
  shown: ReactNode;
}

export interface ChooserProps {
  /** Of the field. */
  label: string;
  choices: readonly Choice[];
  /** Keys of what is chosen. */
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
  /** Choosing one gives up the other. */
  single?: boolean;
  nothingFits: string;
  /** A choice that is made of what was typed, where the list does not have everything. */
  typedChoice?: (typed: string) => Choice | undefined;
}

export function Chooser(props: ChooserProps) {
  const { label, choices, chosen, onChange, single = false, nothingFits, typedChoice } = props;
  const [typed, setTyped] = useState("");
  const extra = choices.some(({ key }) => key.toLowerCase() === typed.trim().toLowerCase())
    ? undefined
    : typedChoice?.(typed.trim());
  const all = extra ? [...choices, extra] : choices;
  const choose = (next: readonly Choice[]) => {
    const keys = next.map(({ key }) => key);
    setTyped("");
    onChange(single ? keys.filter((key) => !chosen.includes(key)).slice(-1) : keys);
  };
  return (
    <Combobox.Root
      multiple
      inline
      open
      autoHighlight
      items={all}
      value={all.filter(({ key }) => chosen.includes(key))}
      onValueChange={choose}
      inputValue={typed}
      onInputValueChange={setTyped}
      itemToStringLabel={({ words }: Choice) => words}
      isItemEqualToValue={(a: Choice, b: Choice) => a.key === b.key}
    >
      <Combobox.Input autoFocus className={styles.input} placeholder={label} aria-label={label} />
      <Combobox.Empty className={styles.empty}>{nothingFits}</Combobox.Empty>
      <Combobox.List className={styles.list} aria-label={label}>
        {(choice: Choice) => (
          <Combobox.Item key={choice.key} value={choice} className={styles.item}>
            <span className={styles.mark}>
              <Combobox.ItemIndicator>
                <Check size={15} aria-hidden />
              </Combobox.ItemIndicator>
            </span>
            <span className={styles.shown}>{choice.shown}</span>
          </Combobox.Item>
        )}
      </Combobox.List>
    </Combobox.Root>
  );
}
