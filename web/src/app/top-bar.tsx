/** The bar at the top: the way home, main places, the palette, and what is the user's own. */
import { BookOpen, Keyboard, LogOut, Plus, Search, Settings, Shield, User } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { Link, NavLink, useLocation } from "react-router";
import { signOut, useSession } from "../api/session.ts";
import { text } from "../text/general.ts";
import { NotificationBell } from "../features/notifications/bell.tsx";
import { Avatar } from "../ui/avatar.tsx";
import { ButtonLink, IconButton } from "../ui/button.tsx";
import { Menu } from "../ui/menu.tsx";
import { showProblem } from "../ui/toasts.tsx";
import { fetchPart } from "../api/fetch-part.ts";
import mark from "./mark.svg";
import { creations, mainLinks, userMenuLinks } from "./navigation-links.ts";
import { chooseTheme, storedTheme, type Theme } from "./theme.ts";
import styles from "./top-bar.module.css";
import { useShortcuts } from "./use-shortcuts.ts";

/** Fetched when it is opened first: most visits do without. */
const CommandPalette = lazy(async () => ({
  default: (await fetchPart(() => import("./command-palette.tsx"))).CommandPalette,
}));

const ShortcutsDialog = lazy(async () => ({
  default: (await fetchPart(() => import("./shortcuts-dialog.tsx"))).ShortcutsDialog,
}));

export function TopBar() {
  const session = useSession();
  const [opened, setOpened] = useState<"palette" | "help" | null>(null);
  const openHelp = () => setOpened("help");
  useShortcuts({ openPalette: () => setOpened("palette"), openHelp });
  const places = mainLinks(session);
  return (
    <header className={styles.bar}>
      <Link to="/" className={styles.home}>
        <img src={mark} width={26} height={26} alt="" />
        <span>{text.product}</span>
      </Link>
      {places.length > 0 ? (
        <nav aria-label={text.mainMenu} className={styles.places}>
          {places.map((place) => (
            <NavLink key={place.to} to={place.to} end={place.to === "/"}>
              {place.label}
            </NavLink>
          ))}
        </nav>
      ) : null}
      <div className={styles.own}>
        {session ? (
          <button type="button" className={styles.palette} onClick={() => setOpened("palette")}>
            <Search size={16} aria-hidden />
            <span>{text.commandPalette}</span>
            <kbd>Ctrl K</kbd>
          </button>
        ) : null}
        {session && creations.length > 0 ? <CreateMenu /> : null}
        {session ? <NotificationBell /> : null}
        <UserMenu openHelp={openHelp} />
      </div>
      <Suspense>
        {opened === "palette" ? <CommandPalette open onClose={() => setOpened(null)} /> : null}
        {opened === "help" ? <ShortcutsDialog onClose={() => setOpened(null)} /> : null}
      </Suspense>
    </header>
  );
}

function CreateMenu() {
  return (
    <Menu
      label={text.createMenu}
      trigger={
        <IconButton label={text.createMenu}>
          <Plus aria-hidden />
        </IconButton>
      }
      items={creations.map((place) => ({ kind: "link", ...place }))}
    />
  );
}

const icons = {
  settings: <Settings aria-hidden />,
  admin: <Shield aria-hidden />,
  profile: <User aria-hidden />,
};

function UserMenu({ openHelp }: { openHelp: () => void }) {
  const session = useSession();
  const { pathname, search } = useLocation();
  const [theme, setTheme] = useState<string>(storedTheme());
  if (!session && pathname === "/login") return null;
  if (!session)
    return (
      <ButtonLink to={`/login?next=${encodeURIComponent(pathname + search)}`} kind="primary">
        {text.signIn}
      </ButtonLink>
    );
  const { user } = session;
  const changeTheme = (next: string) => {
    setTheme(next);
    chooseTheme(next as Theme);
  };
  return (
    <Menu
      label={text.yourMenu}
      trigger={
        <IconButton label={text.yourMenu}>
          <Avatar src={user.avatar_url} size={26} />
        </IconButton>
      }
      items={[
        { kind: "words", label: user.name === "" ? user.username : `${user.name} (${user.username})` },
        ...userMenuLinks(session).map(
          ({ icon, ...place }) => ({ kind: "link", ...place, icon: icons[icon] }) as const,
        ),
        {
          kind: "action",
          label: text.documentation,
          icon: <BookOpen aria-hidden />,
          onSelect: () => window.location.assign("/docs"),
        },
        { kind: "action", label: text.shortcuts, icon: <Keyboard aria-hidden />, onSelect: openHelp },
        { kind: "line" },
        { kind: "choice", label: text.theme, value: theme, choices: text.themes, onChange: changeTheme },
        { kind: "line" },
        {
          kind: "action",
          label: text.signOut,
          icon: <LogOut aria-hidden />,
          onSelect: () => void signOut().catch(showProblem),
        },
      ]}
    />
  );
}
