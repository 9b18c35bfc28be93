/** A button that says what is chosen of a few, and opens a menu of them. */
import { ChevronDown } from "lucide-react";
import { text } from "../../text/list-filters.ts";
import { Button } from "../../ui/button.tsx";
import { Menu } from "../../ui/menu.tsx";

export interface ChoiceMenuProps<Value extends string> {
  label: string;
  value: Value;
  /** Value → what it is called. */
  choices: Readonly<Record<Value, string>>;
  onChange: (value: string) => void;
}

export function ChoiceMenu<Value extends string>(props: ChoiceMenuProps<Value>) {
  const { label, value, choices, onChange } = props;
  const words = text.filtered(label, choices[value]);
  return (
    <Menu
      label={words}
      trigger={
        <Button>
          {words}
          <ChevronDown aria-hidden />
        </Button>
      }
      items={[{ kind: "choice", label, choices, value, onChange }]}
    />
  );
}
