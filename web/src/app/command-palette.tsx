/** Goes to a page or a repository by a few letters of its name. */
import { Autocomplete } from "@base-ui/react/autocomplete";
import { useNavigate } from "react-router";
import { $api } from "../api/client.ts";
import { useSession } from "../api/session.ts";
import { administrationLinks } from "../features/administration/administration-layout.tsx";
import { repositoryTabs } from "../features/repositories/repository-tabs.ts";
import { settingsLinks } from "../features/settings/settings-layout.tsx";
import { text } from "../text/general.ts";
import { Dialog } from "../ui/dialog.tsx";
import styles from "./command-palette.module.css";
import { paletteLinks, type NavigationLink } from "./navigation-links.ts";
import { useRepositoryOfAddress } from "./use-repository-of-address.ts";

export function CommandPalette({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} title={text.commandPalette}>
      <Choices onChoose={onClose} />
    </Dialog>
  );
}

/** The parts of the repository whose page is open. */
function useLinksHere(): NavigationLink[] {
  const path = useRepositoryOfAddress();
  const repository = $api.useQuery(
    "get",
    "/repos/{owner}/{repo}",
    { params: { path: path ?? { owner: "", repo: "" } } },
    { enabled: path !== null, staleTime: 30_000 },
  );
  if (path === null || !repository.data) return [];
  return partsOf(repositoryTabs(repository.data), repository.data.full_name);
}

/** Only what differs from the thing itself: its first page stands under its own name. */
function partsOf(links: readonly NavigationLink[], within: string): NavigationLink[] {
  return links.slice(1).map(({ to, label }) => ({ to, label, within }));
}

/** Everything that the palette offers, the nearest first. */
function useLinks(): NavigationLink[] {
  const session = useSession();
  const linksHere = useLinksHere();
  const repositories = $api.useQuery(
    "get",
    "/user/repos",
    { params: { query: { per_page: 100 } } },
    { enabled: session !== null },
  );
  const organizations = $api.useQuery(
    "get",
    "/user/orgs",
    { params: { query: { per_page: 100 } } },
    { enabled: session !== null },
  );
  return [
    ...linksHere,
    ...(repositories.data ?? []).map(({ full_name }) => ({ to: `/${full_name}`, label: full_name })),
    ...(organizations.data ?? []).map(({ name }) => ({
      to: `/orgs/${name}`,
      label: name,
      within: text.organizations,
    })),
    ...(session ? paletteLinks(session) : []),
    ...partsOf(settingsLinks, text.settings),
    ...(session?.user.admin ? partsOf(administrationLinks, text.administration) : []),
  ];
}

function Choices({ onChoose }: { onChoose: () => void }) {
  const navigate = useNavigate();
  const links = useLinks();
  const go = async (link: NavigationLink) => {
    onChoose();
    await navigate(link.to);
  };
  return (
    <Autocomplete.Root
      items={links}
      itemToStringValue={({ label, within }: NavigationLink) =>
        within === undefined ? label : `${within} ${label}`
      }
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
        {(link: NavigationLink) => (
          <Autocomplete.Item key={link.to} value={link} className={styles.item} onClick={() => void go(link)}>
            {link.label}
            {link.within === undefined ? null : <span className={styles.within}>{link.within}</span>}
          </Autocomplete.Item>
        )}
      </Autocomplete.List>
    </Autocomplete.Root>
  );
}
