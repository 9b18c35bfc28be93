/** Bots of an organization, each with its tokens. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/organizations.ts";
import { Badge } from "../../ui/badge.tsx";
import { ConfirmButton, FormButton } from "../../ui/dialog-button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { TextField } from "../../ui/field.tsx";
import { NameInput } from "../../ui/name-input.tsx";
import { Page, Section } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { ScopeFields, ScopeNames, scopesOf } from "../settings/scope-fields.tsx";
import { BotTokens } from "./bot-tokens.tsx";
import { useOrganization } from "./use-organization.ts";

type Bot = Schemas["Bot"];

export function BotsPage() {
  const { org } = useOrganization();
  const pages = usePages(["bots", org], (query) =>
    api.GET("/orgs/{org}/bots", { params: { path: { org }, query } }),
  );
  return (
    <Page title={text.bots} within={org} lead={text.botsLead} actions={<NewBot />}>
      <PagedTable
        pages={pages}
        caption={text.bots}
        keyOf={({ name }) => name}
        empty={<EmptyState title={text.noBots}>{text.noBotsHint}</EmptyState>}
        columns={[
          { title: text.name, cell: (bot) => <Name bot={bot} /> },
          { title: text.scopes, wide: true, cell: (bot) => <ScopeNames names={bot.scopes} /> },
          { title: "", label: text.actions, cell: (bot) => <DeleteBot bot={bot} /> },
        ]}
      />
      <QueryView query={{ data: pages.data, error: null }} lines={0}>
        {(bots) =>
          bots.map((bot) => (
            <Section key={bot.id} title={text.tokensOf(bot.name)}>
              <BotTokens bot={bot} />
            </Section>
          ))
        }
      </QueryView>
    </Page>
  );
}

function Name({ bot }: { bot: Bot }) {
  return (
    <span>
      {bot.username} {bot.suspended ? <Badge tone="bad">{text.suspended}</Badge> : null}
    </span>
  );
}

function NewBot() {
  const { org } = useOrganization();
  return (
    <FormButton
      label={text.newBot}
      title={text.newBot}
      kind="primary"
      submit={text.add}
      run={(values) =>
        api.POST("/orgs/{org}/bots", {
          params: { path: { org } },
          body: {
            name: (values["name"] ?? "").trim(),
            display_name: values["display_name"] ?? "",
            scopes: scopesOf(values),
          },
        })
      }
    >
      {(problems) => (
        <>
          <NameInput name="name" label={text.name} maxLength={100} problem={problems["name"]} />
          <TextField
            name="display_name"
            label={text.displayName}
            hint={text.optional}
            maxLength={100}
            problem={problems["display_name"]}
          />
          <ScopeFields legend={text.scopes} problem={problems["scopes"]} />
        </>
      )}
    </FormButton>
  );
}

function DeleteBot({ bot: { name } }: { bot: Bot }) {
  const { org } = useOrganization();
  return (
    <ConfirmButton
      label={text.deleteIt}
      name={text.deleteName(name)}
      title={text.deleteName(name)}
      said={text.deleted(name)}
      gone={() => ["bot-tokens", org, name]}
      run={() => api.DELETE("/orgs/{org}/bots/{bot}", { params: { path: { org, bot: name } } })}
    >
      <p>{text.deleteBotWarning}</p>
    </ConfirmButton>
  );
}
