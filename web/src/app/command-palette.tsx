/** Goes to a page or a repository by a few letters of its name. */
import { Autocomplete } from "@base-ui/react/autocomplete";
import { useNavigate } from "react-router";
import { $api } from "../api/client.ts";
import { useSession } from "../api/session.ts";
import { text } from "../text/general.ts";
import { Dialog } from "../ui/dialog.tsx";
import styles from "./command-palette.module.css";
import { palettePlaces, type Place } from "./places.ts";

export function CommandPalette({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} title={text.commandPalette}>
      <Choices onChoose={onClose} />
    </Dialog>
  );
}

function Choices({ onChoose }: { onChoose: () => void }) {
  const session = useSession();
  const navigate = useNavigate();
  const repositories = $api.useQuery(
    "get",
    "/user/repos",
    { params: { query: { per_page: 100 } } },
    { enabled: session !== null },
  );
  const places: Place[] = [
    ...(repositories.data ?? []).map(({ full_name }) => ({ to: `/${full_name}`, label: full_name })),
    ...(session ? palettePlaces(session) : []),
  ];
  const go = async (place: Place) => {
    onChoose();
    await navigate(place.to);
  };
  return (
    <Autocomplete.Root
      items={places}
      itemToStringValue={(place: Place) => place.label}
      autoHighlight
      open
      inline
    >
      <Autocomplete.Input
        className={styles.input}
        placeholder={text.commandPaletteHint}
        aria-label={text.commandPaletteHint}
      />
      <Autocomplete.Empty className={styles.empty}>{text.nothingFits}</Autocomplete.Empty>
      <Autocomplete.List className={styles.list}>
        {(place: Place) => (
          <Autocomplete.Item
            key={place.to}
            value={place}
            className={styles.item}
            onClick={() => void go(place)}
          >
            {place.label}
          </Autocomplete.Item>
        )}
      </Autocomplete.List>
    </Autocomplete.Root>
  );
}
