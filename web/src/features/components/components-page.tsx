/** Every component of `ui/` in its forms, for who builds pages. */
import { Pencil } from "lucide-react";
import { useState, type ReactNode } from "react";
import { statuses } from "@forgeline/client/generated/statuses.ts";
import mark from "../../app/mark.svg";
import { text } from "../../text/components.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button, ButtonLink, IconButton } from "../../ui/button.tsx";
import { ChoiceInRow } from "../../ui/choice-in-row.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { CopyBlock, CopyButton, CopyField } from "../../ui/copy-field.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ConfirmButton, FormButton } from "../../ui/dialog-button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Facts } from "../../ui/facts.tsx";
import { CheckField, FieldGroup, SelectField, TextArea, TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { LeaveGuard } from "../../ui/leave-guard.tsx";
import { Menu } from "../../ui/menu.tsx";
import { NameInput } from "../../ui/name-input.tsx";
import { NewPasswordField } from "../../ui/new-password-field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page, Section } from "../../ui/page.tsx";
import { Person } from "../../ui/person.tsx";
import { Popup } from "../../ui/popup.tsx";
import { RowActions } from "../../ui/row-actions.tsx";
import { Segments } from "../../ui/segments.tsx";
import { ShownOnce } from "../../ui/shown-once.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { StatusMark } from "../../ui/status.tsx";
import { Table } from "../../ui/table.tsx";
import { TabLinks } from "../../ui/tabs.tsx";
import { Time } from "../../ui/time.tsx";
import { showToast, showProblem } from "../../ui/toasts.tsx";
import { formatBytes } from "../../ui/size.ts";
import { UsageBar } from "../../ui/usage-bar.tsx";
import { ListsSection } from "./lists-section.tsx";
import { MarkdownSection } from "./markdown-section.tsx";

const idle = { isPending: false, error: null };

export function ComponentsPage() {
  return (
    <Page title={text.title} lead={text.lead} actions={<Button kind="primary">{text.primary}</Button>}>
      <Section title={text.buttons}>
        <Row>
          <Button>{text.normal}</Button>
          <Button kind="primary">{text.primary}</Button>
          <Button kind="danger">{text.danger}</Button>
          <Button kind="quiet">{text.quiet}</Button>
          <Button busy>{text.busy}</Button>
          <ButtonLink to="/">{text.link}</ButtonLink>
          <IconButton label={text.icon} onClick={() => showToast(text.sentence)}>
            <Pencil aria-hidden />
          </IconButton>
          <Popup label={text.popup} panel={() => <p>{text.sentence}</p>}>
            {text.popup}
          </Popup>
        </Row>
      </Section>
      <Section title={text.statuses}>
        <Row>
          {statuses.map((status) => (
            <StatusMark key={status} status={status} />
          ))}
        </Row>
        <Row>
          <Badge>{text.normal}</Badge>
          <Badge tone="good">{text.good}</Badge>
          <Badge tone="warn">{text.warning}</Badge>
          <Badge tone="bad">{text.bad}</Badge>
          <Badge tone="plain">{text.quiet}</Badge>
        </Row>
      </Section>
      <Section title={text.messages}>
        <Notice title={text.normal}>{text.sentence}</Notice>
        <Notice tone="good">{text.sentence}</Notice>
        <Notice tone="warn">{text.sentence}</Notice>
        <Notice tone="bad">{text.sentence}</Notice>
        <Skeleton lines={2} />
        <EmptyState title={text.empty} action={<Button>{text.normal}</Button>}>
          {text.sentence}
        </EmptyState>
      </Section>
      <Forms />
      <Records />
      <ListsSection />
      <MarkdownSection />
      <Overlays />
    </Page>
  );
}

function Row({ children }: { children: ReactNode }) {
  return (
    <div style={{ display: "flex", flexWrap: "wrap", gap: "0.75rem", alignItems: "center" }}>{children}</div>
  );
}

function Forms() {
  return (
    <Section title={text.forms}>
      <Form submit={text.primary} state={idle} onSubmit={() => showToast(text.sentence)}>
        <TextField label={text.field} hint={text.sentence} />
        <NameInput label={text.nameOfOther} required={false} />
        <NewPasswordField />
        <TextField label={text.wrongField} problem={text.problem} />
        <TextArea label={text.area} />
        <SelectField label={text.choice}>
          <option>{text.normal}</option>
          <option>{text.quiet}</option>
        </SelectField>
        <FieldGroup legend={text.group}>
          <CheckField label={text.check} hint={text.sentence} />
          <CheckField type="radio" name="one" label={text.radio} />
        </FieldGroup>
      </Form>
    </Section>
  );
}

function Records() {
  const rows = [
    { id: "one", name: "compiler", count: 12 },
    { id: "two", name: "runner", count: 3 },
  ];
  return (
    <Section title={text.records}>
      <TabLinks label={text.tabs} links={[{ to: "/-/components", label: text.tabs, count: 2 }]} />
      <Segments<"first" | "second">
        label={text.views}
        choices={{ first: text.firstView, second: text.secondView }}
        value="first"
        onChange={() => showToast(text.sentence)}
      />
      <Table
        caption={text.records}
        rows={rows}
        keyOf={(row) => row.id}
        columns={[
          { title: text.name, cell: (row) => row.name, wide: true },
          { title: text.count, cell: (row) => row.count, align: "end" },
          { title: text.time, cell: () => <Time at="2026-03-01T09:30:00.000Z" /> },
        ]}
      />
      <Facts
        facts={[
          { name: text.name, value: "compiler" },
          { name: text.count, value: 12 },
        ]}
      />
      <UsageBar label={text.count} used={12e9} limit={50e9} format={formatBytes} hint={text.sentence} />
      <UsageBar label={text.count} used={45e9} limit={50e9} format={formatBytes} />
      <UsageBar label={text.count} used={51e9} limit={50e9} format={formatBytes} />
      <UsageBar label={text.count} used={12e9} limit={null} format={formatBytes} />
      <Avatar src={mark} size={32} />
      <Person user={{ username: "ada", name: "Ada Lovelace", avatar_url: mark, type: "user" }} />
      <RowActions>
        <Button>{text.normal}</Button>
        <ChoiceInRow
          label={text.choice}
          value="normal"
          choices={{ normal: text.normal, quiet: text.quiet }}
          run={() => Promise.resolve()}
          said={text.sentence}
        />
      </RowActions>
      <CopyField label={text.command} value="git clone https://localhost:8443/ada/compiler.git" />
      <div>
        <code>git status</code> <CopyButton label={text.command} value="git status" />
      </div>
      <CopyBlock label={text.command} value={"git add .\ngit commit -m 'First'\ngit push"} />
    </Section>
  );
}

function Overlays() {
  const [open, setOpen] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const [isUnsaved, setUnsaved] = useState(false);
  return (
    <Section title={text.above}>
      <Row>
        <Button onClick={() => setOpen(true)}>{text.dialog}</Button>
        <Button onClick={() => setAsking(true)}>{text.confirmDialog}</Button>
        <Button onClick={() => setSecret("fl_pat_0123456789")}>{text.shownOnce}</Button>
        <ConfirmButton
          label={text.danger}
          title={text.danger}
          run={() => Promise.resolve()}
          said={text.sentence}
        >
          <p>{text.sentence}</p>
        </ConfirmButton>
        <FormButton label={text.dialogForm} title={text.dialogForm} run={() => Promise.resolve()}>
          {() => <TextField label={text.field} />}
        </FormButton>
        <Menu
          label={text.menu}
          trigger={<Button>{text.menu}</Button>}
          items={[
            { kind: "action", label: text.tell, onSelect: () => showToast(text.sentence) },
            {
              kind: "action",
              label: text.tellProblem,
              danger: true,
              onSelect: () => showProblem(new Error(text.problem)),
            },
          ]}
        />
      </Row>
      <CheckField
        label={text.unsaved}
        checked={isUnsaved}
        onChange={(event) => setUnsaved(event.target.checked)}
      />
      <LeaveGuard isDirty={() => isUnsaved} />
      <Dialog open={open} onClose={() => setOpen(false)} title={text.dialog} lead={text.sentence}>
        <Button onClick={() => setOpen(false)}>{text.normal}</Button>
      </Dialog>
      <ShownOnce title={text.shownOnce} label={text.field} value={secret} onClose={() => setSecret(null)} />
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={text.confirmDialog}
        confirm={text.danger}
        typeName="ada/compiler"
        state={idle}
        onConfirm={() => setAsking(false)}
      >
        <p>{text.sentence}</p>
      </ConfirmDialog>
    </Section>
  );
}
