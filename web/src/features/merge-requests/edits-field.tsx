/** Whether those who may merge may push to the source branch in a fork. */
import { text } from "../../text/merge-requests.ts";
import { CheckField } from "../../ui/field.tsx";

interface EditsFieldProps {
  defaultChecked: boolean;
  problem: string | undefined;
}

export function EditsField(props: EditsFieldProps) {
  return <CheckField name="edits" label={text.editsField} hint={text.editsHint} {...props} />;
}
