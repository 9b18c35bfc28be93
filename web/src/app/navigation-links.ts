/** Where the menus and the palette lead. A place stands here once its page is complete. */
import type { SignedIn } from "../api/session.ts";
import { text } from "../text/general.ts";

export interface Place {
  to: string;
  label: string;
  /** What it is a part of. */
  within?: string;
}

/** In the bar at the top. */
export function mainPlaces(session: SignedIn | null): Place[] {
  return session
    ? [
        { to: "/", label: text.home },
        { to: "/orgs", label: text.organizations },
        ...(session.user.admin ? [{ to: "/runners", label: text.runners }] : []),
      ]
    : [];
}

/** Behind the plus. */
export const creations: readonly Place[] = [
  { to: "/new", label: text.newRepository },
  { to: "/new/organization", label: text.newOrganization },
];

/** In the user's own menu. */
export function ownPlaces({ user }: SignedIn): (Place & { icon: "settings" | "admin" | "profile" })[] {
  return [
    { to: `/${user.username}`, label: text.profile, icon: "profile" },
    { to: "/settings", label: text.settings, icon: "settings" },
    ...(user.admin ? [{ to: "/-/admin", label: text.administration, icon: "admin" as const }] : []),
  ];
}

/** What the palette knows of everywhere. */
export function palettePlaces(session: SignedIn): Place[] {
  const places = [...mainPlaces(session), ...creations, ...ownPlaces(session)];
  return places.map(({ to, label }) => ({ to, label }));
}
