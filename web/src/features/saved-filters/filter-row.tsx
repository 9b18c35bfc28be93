/** A saved filter in the panel: its name chooses it, and whoever may changes and deletes it. */
import { Trash2 } from "lucide-react";
import { text } from "../../text/saved-filters.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { EditFilter, type FilterFields } from "./edit-filter.tsx";

export interface FilterRowProps {
  filter: FilterFields;
  onChoose: (query: string) => void;
  /** Without it, it can be neither changed nor deleted. */
  changes?: { save: (fields: FilterFields) => Promise<unknown>; remove: () => void } | undefined;
}

export function FilterRow({ filter, onChoose, changes }: FilterRowProps) {
  const { name, query } = filter;
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
      {changes ? (
        <>
          <EditFilter filter={filter} save={changes.save} />
          <IconButton label={text.remove(name)} onClick={changes.remove}>
            <Trash2 size={15} aria-hidden />
          </IconButton>
        </>
      ) : null}
    </li>
  );
}
