/** One account, as an administrator sees it. */
import { Link, useParams } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api, $api } from "../../api/client.ts";
import { text } from "../../text/administration.ts";
import { ChoiceInRow } from "../../ui/choice-in-row.tsx";
import { Facts } from "../../ui/facts.tsx";
import { Page } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { Time } from "../../ui/time.tsx";
import { LfsQuotaSection, useLfsQuota } from "./lfs-quota-section.tsx";
import { LimitsSection } from "./limits-section.tsx";
import { UserActions } from "./user-actions.tsx";
import { isSpecial, UserBadges } from "./users-page.tsx";

type User = Schemas["AdministeredUser"];

export function AdministeredUserPage() {
  const { username = "" } = useParams();
  const user = $api.useQuery("get", "/admin/users/{username}", { params: { path: { username } } });
  return <QueryView query={user}>{(found) => <UserAccount user={found} />}</QueryView>;
}

function UserAccount({ user }: { user: User }) {
  const { username } = user;
  const path = { username };
  const limits = $api.useQuery("get", "/admin/users/{username}/limits", { params: { path } });
  return (
    <Page
      title={username}
      within={text.users}
      actions={user.type === "bot" ? null : <Link to={`/${username}`}>{text.publicPage}</Link>}
    >
      <Facts
        facts={[
          { name: text.name, value: user.name || "–" },
          { name: text.email, value: user.email || "–" },
          ...(isSpecial(user) ? [{ name: text.standing, value: <UserBadges user={user} /> }] : []),
          { name: text.created, value: <Time at={user.created_at} /> },
          { name: text.id, value: <code>{user.id}</code> },
          {
            name: text.plan,
            value: (
              <ChoiceInRow
                label={text.planOf(username)}
                value={user.plan}
                choices={text.plans}
                said={text.saved}
                run={(plan) =>
                  api.PATCH("/admin/users/{username}", {
                    params: { path },
                    body: { plan: plan as User["plan"] },
                  })
                }
              />
            ),
          },
        ]}
      />
      <UserActions user={user} />
      {user.type === "bot" ? null : <OwnedLfs owner={username} />}
      <QueryView query={limits}>
        {(found) => (
          <LimitsSection
            limits={found.limits}
            save={(body) => api.PUT("/admin/users/{username}/limits", { params: { path }, body })}
          />
        )}
      </QueryView>
    </Page>
  );
}

function OwnedLfs({ owner }: { owner: string }) {
  return <QueryView query={useLfsQuota(owner)}>{(quota) => <LfsQuotaSection quota={quota} />}</QueryView>;
}
