/** The menu of a text that somebody wrote: copy its link, quote it, edit it, delete it. */
import { Ellipsis, Link2, Pencil, Quote, Trash } from "lucide-react";
import { useState, type ReactNode } from "react";
import { text } from "../../text/work-items.ts";
import { IconButton } from "../../ui/button.tsx";
import { Menu, type MenuItem } from "../../ui/menu.tsx";
import { showToast } from "../../ui/toasts.tsx";

export interface TextActionsProps {
  /** Which text the menu is of. */
  label: string;
  link: string;
  may: { edit: boolean; delete: boolean };
  onEdit: () => void;
  /** Undefined for those who may not answer. */
  onQuote?: (() => void) | undefined;
  /** Asks before anything is deleted. */
  deleteDialog: (onClose: () => void) => ReactNode;
}

export function TextActions({ label, link, may, onEdit, onQuote, deleteDialog }: TextActionsProps) {
  const [isDeleting, setDeleting] = useState(false);
  const items: MenuItem[] = [
    { kind: "action", label: text.copyLink, icon: <Link2 aria-hidden />, onSelect: () => void copy(link) },
  ];
  if (onQuote)
    items.push({ kind: "action", label: text.quote, icon: <Quote aria-hidden />, onSelect: onQuote });
  if (may.edit)
    items.push({ kind: "action", label: text.edit, icon: <Pencil aria-hidden />, onSelect: onEdit });
  if (may.delete)
    items.push({
      kind: "action",
      label: text.delete,
      icon: <Trash aria-hidden />,
      danger: true,
      onSelect: () => setDeleting(true),
    });
  return (
    <>
      <Menu
        label={label}
        trigger={
          <IconButton label={label}>
            <Ellipsis aria-hidden />
          </IconButton>
        }
        items={items}
      />
      {isDeleting ? deleteDialog(() => setDeleting(false)) : null}
    </>
  );
}

async function copy(link: string): Promise<void> {
  await navigator.clipboard.writeText(link);
  showToast(text.linkCopied);
}
