/** A secret that an answer has held, above the page until it is put away: nobody can ask for it again. */
import { text } from "../../text/general.ts";
import { CopyField } from "../../ui/copy-field.tsx";
import { Dialog } from "../../ui/dialog.tsx";

export function ShownOnce(props: { label: string; value: string | null; onClose: () => void }) {
  return (
    <Dialog open={props.value !== null} onClose={props.onClose} title={props.label} lead={text.shownOnce}>
      <CopyField label={props.label} value={props.value ?? ""} />
    </Dialog>
  );
}
