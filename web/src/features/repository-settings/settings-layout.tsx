/** The layout of a repository's settings. Who may write finds what writing is enough for, and only its admins the rest. */
import { Outlet, useLocation } from "react-router";
import { text } from "../../text/repository-settings.ts";
import { text as general } from "../../text/general.ts";
import { text as imports } from "../../text/imports.ts";
import { text as mirrors } from "../../text/mirrors.ts";
import { text as pushMirrors } from "../../text/push-mirrors.ts";
import { text as retention } from "../../text/retention.ts";
import { text as schedules } from "../../text/schedules.ts";
import { text as trustedAuthors } from "../../text/trusted-authors.ts";
import { text as variables } from "../../text/variables.ts";
import { text as secrets } from "../../text/secrets.ts";
import { text as webhooks } from "../../text/webhooks.ts";
import { NotFound } from "../../ui/not-found.tsx";
import { SideLayout } from "../../ui/side-layout.tsx";
import { useRepository } from "../repositories/use-repository.ts";

export function RepositorySettingsLayout() {
  const repository = useRepository();
  const { pathname } = useLocation();
  const mayWrite = repository.permissions === "write" || repository.permissions === "maintain";
  const base = `/${repository.full_name}/settings`;
  const forWriters = [
    { to: `${base}/variables`, label: variables.title },
    { to: `${base}/secrets`, label: secrets.title },
    { to: `${base}/trusted-authors`, label: trustedAuthors.title },
  ];
  const forAdmins = [
    { to: base, label: text.general, exact: true },
    { to: `${base}/collaborators`, label: text.collaborators },
    { to: `${base}/branches`, label: text.branches },
    { to: `${base}/tags`, label: text.tags },
    { to: `${base}/deploy-keys`, label: text.deployKeys },
    { to: `${base}/mirror`, label: mirrors.title },
    { to: `${base}/imports`, label: imports.title },
    { to: `${base}/push-mirrors`, label: pushMirrors.title },
    { to: `${base}/schedules`, label: schedules.title },
    ...forWriters,
    { to: `${base}/webhooks`, label: webhooks.title },
    { to: `${base}/runners`, label: general.runners },
    { to: `${base}/retention`, label: retention.title },
    { to: `${base}/storage`, label: text.storage },
  ];
  const links = repository.permissions === "admin" ? forAdmins : mayWrite ? forWriters : [];
  const isForAll = links === forAdmins || links.some(({ to }) => isBelow(pathname, to));
  if (!isForAll) return <NotFound />;
  return (
    <SideLayout label={text.settings} links={links}>
      <Outlet context={repository} />
    </SideLayout>
  );
}

/** The page itself, or one below it; names of owners and repositories are compared without case. */
function isBelow(pathname: string, page: string): boolean {
  const [at, of] = [decodeURI(pathname), page].map((path) => path.toLowerCase());
  return at === of || at?.startsWith(`${of}/`) === true;
}
