/**
 * A secret that an answer has held, above the page until it is put away: nobody can request it again, so neither Escape nor a
 * click beside it does that.
 */
import { text } from "../text/general.ts";
import { Button } from "./button.tsx";
import { CopyField } from "./copy-field.tsx";
import { Dialog } from "./dialog.tsx";

export interface ShownOnceProps {
  title: string;
  /** What it is. */
  label: string;
  value: string | null;
  onClose: () => void;
}

export function ShownOnce({ title, label, value, onClose }: ShownOnceProps) {
  return (
    <Dialog open={value !== null} onClose={onClose} title={title} lead={text.shownOnce} insistent>
      <CopyField label={label} value={value ?? ""} />
      <div>
        <Button kind="primary" onClick={onClose}>
          {text.close}
        </Button>
      </div>
    </Dialog>
  );
}
