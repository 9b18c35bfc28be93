/** Making, changing and removing a rule: alike for branches and for tags but for its fields. */
import type { ReactNode } from "react";
import { text } from "../../text/repository-settings.ts";
import { ConfirmButton, FormButton } from "../../ui/dialog-button.tsx";
import type { FormValues } from "../../ui/form.tsx";
import { RowActions } from "../../ui/row-actions.tsx";

type Fields = (problems: Record<string, string>) => ReactNode;

export interface AddRuleProps {
  label: string;
  add: (values: FormValues) => Promise<unknown>;
  children: Fields;
}

export function AddRule({ label, add, children }: AddRuleProps) {
  return (
    <FormButton label={label} title={label} kind="primary" submit={text.save} said={text.saved} run={add}>
      {children}
    </FormButton>
  );
}

export interface RuleActionsProps {
  pattern: string;
  change: (values: FormValues) => Promise<unknown>;
  remove: () => Promise<unknown>;
  children: Fields;
}

export function RuleActions({ pattern, change, remove, children }: RuleActionsProps) {
  return (
    <RowActions>
      <FormButton
        label={text.change}
        name={text.editRule(pattern)}
        title={text.editRule(pattern)}
        submit={text.save}
        said={text.saved}
        run={change}
      >
        {children}
      </FormButton>
      <ConfirmButton
        label={text.remove}
        name={text.removeName(pattern)}
        title={text.removeRule(pattern)}
        said={text.removed(pattern)}
        run={remove}
      >
        <p>{text.removeRuleHint}</p>
      </ConfirmButton>
    </RowActions>
  );
}
