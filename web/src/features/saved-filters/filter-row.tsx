/** A saved filter in the panel: its name chooses it, and whoever may deletes it. */
import { Trash2 } from "lucide-react";
import { text } from "../../text/saved-filters.ts";
import { Button, IconButton } from "../../ui/button.tsx";

export interface FilterRowProps {
  filter: { name: string; query: string };
  onChoose: (query: string) => void;
  /** Without it, it cannot be deleted. */
  onRemove?: (() => void) | undefined;
}

export function FilterRow({ filter: { name, query }, onChoose, onRemove }: FilterRowProps) {
  return (
    <li>
      <Button
        kind="quiet"
        title={query}
        onClick={(event) => {
          event.currentTarget.closest<HTMLElement>("[popover]")?.hidePopover();
          onChoose(query);
        }}
      >
        {name}
      </Button>
      {onRemove ? (
        <IconButton label={text.remove(name)} onClick={onRemove}>
          <Trash2 size={15} aria-hidden />
        </IconButton>
      ) : null}
    </li>
  );
}
