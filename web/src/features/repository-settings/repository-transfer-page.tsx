/** The offer of a repository to another owner: made and withdrawn by its admins, accepted or declined by who gets it. */
import { useId } from "react";
import { useNavigate } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api, $api } from "../../api/client.ts";
import { fieldProblems } from "../../api/problem.ts";
import { text } from "../../text/repository-settings.ts";
import { ConfirmButton } from "../../ui/dialog-button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form, type FormValues } from "../../ui/form.tsx";
import { NotFound } from "../../ui/not-found.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { Time } from "../../ui/time.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { useChange } from "../../ui/use-change.ts";
import { usePossibleOwners } from "../create/use-owners.ts";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import styles from "./repository-transfer-page.module.css";

export function RepositoryTransferPage() {
  const repository = useRepository();
  const { full_name: fullName, permissions } = repository;
  const offers = $api.useQuery("get", "/user/transfers", { params: { query: { repository: fullName } } });
  if (offers.data?.length === 0 && permissions !== "admin") return <NotFound />;
  return (
    <Page title={text.transferTitle} within={fullName} lead={text.transferLead(fullName)}>
      <QueryView query={offers}>
        {([offer]) => (offer ? <OpenOffer offer={offer} /> : <OfferForm />)}
      </QueryView>
    </Page>
  );
}

function OfferForm() {
  const path = useRepositoryPath();
  const navigate = useNavigate();
  const offer = useChange(
    async (values: FormValues) =>
      (
        await api.POST("/repos/{owner}/{repo}/transfer", {
          params: { path },
          body: { new_owner: (values["new_owner"] ?? "").trim() },
        })
      ).data,
    {
      gone: (made) => (made?.status === "done" ? [path.owner, path.repo] : []),
      onDone: async (made) => {
        if (!made) return;
        const owner = made.new_owner.name;
        showToast(made.status === "done" ? text.transferred(owner) : text.offered(owner));
        if (made.status === "done") await navigate(`/${made.repository.full_name}`);
      },
    },
  );
  const owners = usePossibleOwners().filter(({ name }) => name !== path.owner);
  const listId = useId();
  return (
    <Form submit={text.offer} danger state={offer} onSubmit={offer.mutate}>
      <TextField
        name="new_owner"
        label={text.newOwner}
        hint={text.newOwnerHint}
        list={listId}
        required
        maxLength={100}
        autoCapitalize="off"
        autoComplete="off"
        spellCheck={false}
        problem={fieldProblems(offer.error)["new_owner"]}
      />
      <datalist id={listId}>
        {owners.map(({ name }) => (
          <option key={name}>{name}</option>
        ))}
      </datalist>
    </Form>
  );
}

function OpenOffer({ offer }: { offer: Schemas["RepositoryTransfer"] }) {
  const path = useRepositoryPath();
  const { full_name: fullName } = useRepository();
  const navigate = useNavigate();
  const isReceiver = offer.may_accept;
  return (
    <>
      <Notice title={text.pending(offer.new_owner.name)}>
        {text.pendingHint} {text.expires} <Time at={offer.expires_at} />.
      </Notice>
      <div className={styles.actions}>
        {isReceiver ? (
          <ConfirmButton
            label={text.accept}
            title={text.acceptTitle(fullName)}
            kind="primary"
            said={text.accepted(fullName)}
            run={async () =>
              (await api.POST("/repos/{owner}/{repo}/transfer/accept", { params: { path } })).data
            }
            gone={() => [path.owner, path.repo]}
            onDone={(taken) => taken && navigate(`/${taken.full_name}`)}
          >
            <p>{text.acceptHint(offer.new_owner.name)}</p>
          </ConfirmButton>
        ) : null}
        <ConfirmButton
          label={isReceiver ? text.decline : text.withdraw}
          title={isReceiver ? text.declineTitle(fullName) : text.withdrawTitle}
          said={text.withdrawn}
          run={() => api.DELETE("/repos/{owner}/{repo}/transfer", { params: { path } })}
          gone={() => (isReceiver ? [path.owner, path.repo] : [])}
          onDone={() => isReceiver && navigate("/")}
        >
          <p>{isReceiver ? text.declineHint(path.owner) : text.withdrawHint(offer.new_owner.name)}</p>
        </ConfirmButton>
      </div>
    </>
  );
}
