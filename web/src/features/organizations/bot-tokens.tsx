/** The tokens with which one bot acts. */
import { useState } from "react";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/organizations.ts";
import { ConfirmButton, FormButton } from "../../ui/dialog-button.tsx";
import { TextField } from "../../ui/field.tsx";
import type { FormValues } from "../../ui/form.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { ShownOnce } from "../../ui/shown-once.tsx";
import { Time } from "../../ui/time.tsx";
import { ScopeFields, ScopeNames, scopesOf } from "../settings/scope-fields.tsx";
import { useOrganization } from "./use-organization.ts";

export function BotTokens({ bot: { name: bot } }: { bot: Schemas["Bot"] }) {
  const { org } = useOrganization();
  const path = { org, bot };
  const pages = usePages(["bot-tokens", org, bot], (query) =>
    api.GET("/orgs/{org}/bots/{bot}/tokens", { params: { path, query } }),
  );
  const at = (time: string | null) => (time ? <Time at={time} /> : text.never);
  return (
    <>
      <PagedTable
        pages={pages}
        caption={text.tokensOf(bot)}
        keyOf={({ id }) => id}
        empty={<p>{text.noTokens}</p>}
        columns={[
          { title: text.tokenName, cell: ({ name }) => <span>{name}</span> },
          { title: text.tokenScopes, wide: true, cell: (row) => <ScopeNames names={row.scopes} /> },
          { title: text.used, cell: (row) => at(row.last_used_at) },
          { title: text.expires, cell: (row) => at(row.expires_at) },
          {
            title: "",
            label: text.actions,
            cell: ({ id, name }) => (
              <ConfirmButton
                label={text.revoke}
                name={text.revokeName(name)}
                title={text.revokeToken(name)}
                run={() =>
                  api.DELETE("/orgs/{org}/bots/{bot}/tokens/{id}", { params: { path: { ...path, id } } })
                }
              />
            ),
          },
        ]}
      />
      <NewToken bot={bot} />
    </>
  );
}

function NewToken({ bot }: { bot: string }) {
  const { org } = useOrganization();
  const [value, setValue] = useState<string | null>(null);
  return (
    <div>
      <FormButton
        label={text.newToken}
        name={text.newTokenOf(bot)}
        title={text.newTokenOf(bot)}
        submit={text.add}
        run={async (values) =>
          (
            await api.POST("/orgs/{org}/bots/{bot}/tokens", {
              params: { path: { org, bot } },
              body: tokenOf(values),
            })
          ).data
        }
        onDone={(made) => setValue(made?.token ?? null)}
      >
        {(problems) => (
          <>
            <TextField
              name="name"
              label={text.tokenName}
              required
              maxLength={100}
              problem={problems["name"]}
            />
            <TextField
              name="days"
              type="number"
              min={1}
              label={text.expiry}
              hint={text.expiryHint}
              defaultValue={90}
              problem={problems["expires_in_days"]}
            />
            <ScopeFields legend={text.tokenScopes} problem={problems["scopes"]} />
          </>
        )}
      </FormButton>
      <ShownOnce title={text.token} label={text.token} value={value} onClose={() => setValue(null)} />
    </div>
  );
}

function tokenOf(values: FormValues) {
  const { name = "", days = "" } = values;
  return { name, scopes: scopesOf(values), expires_in_days: days === "" ? null : Number(days) };
}
