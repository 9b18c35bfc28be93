/** OAuth apps of an owner. */
import { useState } from "react";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { usePages } from "../../api/use-pages.ts";
import { apps as words, text } from "../../text/settings.ts";
import { Badge } from "../../ui/badge.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { ConfirmButton, FormButton } from "../../ui/dialog-button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { PagedView } from "../../ui/paged-view.tsx";
import { AppFields, appOf } from "./app-fields.tsx";
import type { AppsOf } from "./apps-of.ts";
import { ScopeNames } from "./scope-fields.tsx";
import { RowActions } from "../../ui/row-actions.tsx";
import { ShownOnce } from "../../ui/shown-once.tsx";
import styles from "./settings.module.css";

type App = Schemas["OAuthApp"];

export function AppList({ of }: { of: AppsOf }) {
  const apps = usePages([of.address], of.list);
  const create = (
    <ButtonLink to={`${of.address}/new`} kind="primary">
      {words.create}
    </ButtonLink>
  );
  return (
    <Page title={text.apps} within={of.within} lead={of.lead} actions={create}>
      <PagedView pages={apps} empty={<EmptyState title={words.empty}>{words.emptyHint}</EmptyState>}>
        {(rows) => (
          <div>
            {rows.map((app) => (
              <AppRow key={app.id} app={app} of={of} />
            ))}
          </div>
        )}
      </PagedView>
    </Page>
  );
}

function AppRow({ app, of }: { app: App; of: AppsOf }) {
  return (
    <article className={styles.app} id={app.id}>
      <div className={styles.appHead}>
        <h2 className={styles.break}>{app.name}</h2>
        <AppActions app={app} of={of} />
      </div>
      <dl className={styles.facts}>
        <dt>{words.clientId}</dt>
        <dd>
          <code>{app.client_id}</code>{" "}
          {app.confidential ? null : <Badge tone="plain">{words.noSecret}</Badge>}
        </dd>
        {app.homepage_url === null ? null : (
          <>
            <dt>{words.homepage}</dt>
            <dd>{app.homepage_url}</dd>
          </>
        )}
        <dt>{words.redirects}</dt>
        <dd>
          {app.redirect_uris.map((address) => (
            <div key={address}>{address}</div>
          ))}
        </dd>
        <dt>{words.scopes}</dt>
        <dd>
          <ScopeNames names={app.scopes} />
        </dd>
      </dl>
    </article>
  );
}

function AppActions({ app, of }: { app: App; of: AppsOf }) {
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <RowActions>
      <FormButton
        label={words.edit}
        name={`${words.edit}: ${app.name}`}
        title={words.editTitle(app.name)}
        submit={text.save}
        said={text.saved}
        run={(values) => of.change(app.id, appOf(values))}
      >
        {(problems) => <AppFields app={app} problems={problems} />}
      </FormButton>
      {app.confidential ? (
        <ConfirmButton
          kind="normal"
          label={words.rotate}
          name={`${words.rotate}: ${app.name}`}
          title={words.rotateTitle(app.name)}
          submit={words.rotateSubmit}
          run={async () => (await of.renewSecret(app.id)).data}
          onDone={(made) => setSecret(made?.client_secret ?? null)}
        >
          <p>{words.rotateText}</p>
        </ConfirmButton>
      ) : null}
      <ConfirmButton
        label={words.remove}
        name={`${words.remove}: ${app.name}`}
        title={words.removeTitle(app.name)}
        said={words.removed}
        run={() => of.remove(app.id)}
      >
        <p>{words.removeText}</p>
      </ConfirmButton>
      <ShownOnce
        title={words.rotated(app.name)}
        label={words.clientSecret}
        value={secret}
        onClose={() => setSecret(null)}
      />
    </RowActions>
  );
}
