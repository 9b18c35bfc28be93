/** The layout of a repository's settings. Only its admins find anything here. */
import { Outlet } from "react-router";
import { text } from "../../text/repository-settings.ts";
import { text as general } from "../../text/general.ts";
import { text as mirrors } from "../../text/mirrors.ts";
import { text as pushMirrors } from "../../text/push-mirrors.ts";
import { text as schedules } from "../../text/schedules.ts";
import { text as variables } from "../../text/variables.ts";
import { text as webhooks } from "../../text/webhooks.ts";
import { NotFound } from "../../ui/not-found.tsx";
import { SideLayout } from "../../ui/side-layout.tsx";
import { useRepository } from "../repositories/use-repository.ts";

export function RepositorySettingsLayout() {
  const repository = useRepository();
  if (repository.permissions !== "admin") return <NotFound />;
  const base = `/${repository.full_name}/settings`;
  const links = [
    { to: base, label: text.general, exact: true },
    { to: `${base}/collaborators`, label: text.collaborators },
    { to: `${base}/branches`, label: text.branches },
    { to: `${base}/tags`, label: text.tags },
    { to: `${base}/deploy-keys`, label: text.deployKeys },
    { to: `${base}/mirror`, label: mirrors.title },
    { to: `${base}/push-mirrors`, label: pushMirrors.title },
    { to: `${base}/schedules`, label: schedules.title },
    { to: `${base}/variables`, label: variables.title },
    { to: `${base}/webhooks`, label: webhooks.title },
    { to: `${base}/runners`, label: general.runners },
    { to: `${base}/storage`, label: text.storage },
  ];
  return (
    <SideLayout label={text.settings} links={links}>
      <Outlet context={repository} />
    </SideLayout>
  );
}
