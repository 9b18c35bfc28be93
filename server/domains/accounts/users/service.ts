/** Accounts of people. Names are unique together with those of organizations, and compared without case. */
import { ownerName } from "@forgeline/schemas/core/ids.ts";
import type { FieldError } from "@forgeline/schemas/core/errors.ts";
import type { SignUp, UserUpdate } from "@forgeline/schemas/users/resource.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { AppError, invalidFields } from "../../../platform/app-error.ts";
import { newId } from "../../../platform/ids.ts";
import { recordAudit, type InstanceSettingsService, type MailService } from "../../operation/domain.ts";
import { userIdOf, type Actor } from "../../../platform/access/actor.ts";
import { letter } from "../emails/account-mails.ts";
import { endTokens } from "../emails/account-tokens.ts";
import { claimFirstAddress } from "../emails/claim-address.ts";
import type { OwnerService } from "../owners/service.ts";
import { isReservedOwnerName } from "./names.ts";
import { passwordProblem } from "../passwords/password-rules.ts";
import type { Passwords } from "../passwords/passwords.ts";
import * as store from "./users.store.ts";
import type { UserRow } from "./users.store.ts";

/** A user as sign-in needs it, to check the password. */
export interface SignInUser {
  id: string;
  username: string;
  suspended: boolean;
  isAdmin: boolean;
  passwordHash: string | null;
}

export interface ProvisionedAccount {
  username: string;
  /** null: none is known. */
  email: string | null;
  name: string;
}

/** A mail to a user, without greeting and sender. */
export interface Notice {
  kind: string;
  subject: string;
  paragraphs: readonly string[];
}

export interface UserService {
  /** Throws `not_found`. */
  get(id: string): Promise<UserRow>;
  getByName(username: string): Promise<UserRow>;
  findByName(username: string): Promise<UserRow | undefined>;
  /** By id; those that exist. */
  getMany(ids: readonly string[]): Promise<Map<string, UserRow>>;
  /** By name or verified address; undefined for bots too. */
  findForSignIn(name: string): Promise<SignInUser | undefined>;
  findSignInUser(id: string): Promise<SignInUser | undefined>;
  /**
   * Also ends every session and every open password reset. Throws `validation_failed` for a password that breaks the rules.
   * `first` runs in the same transaction; when it throws, nothing is changed.
   */
  setPassword(actor: Actor, password: string, first?: (tx: Transaction) => Promise<void>): Promise<void>;
  /** To one that is verified. */
  setPrimaryEmail(tx: Transaction, id: string, address: string): Promise<void>;
  /** Writes a mail to the user's primary address, if there is one. */
  notify(tx: Transaction, id: string, notice: Notice): Promise<void>;
  /** The same password, stored with today's work; harmless when it was changed meanwhile. */
  rehash(id: string, before: string, password: string): Promise<void>;
  /** Throws `forbidden` where sign-up is closed, `validation_failed` and, when the name is taken, `conflict`. */
  signUp(actor: Actor, request: SignUp): Promise<UserRow>;
  /**
   * An account without a password, for a user of an identity provider; the address must be verified like any other. The caller
   * checks whether sign-up is open. Throws `validation_failed`, and `conflict` when the name is taken.
   */
  provision(tx: Transaction, actor: Actor, wanted: ProvisionedAccount): Promise<UserRow>;
  update(actor: Actor, change: UserUpdate): Promise<UserRow>;
  /** The authors of commits: names by e-mail address in lower case; nobody if several users have the address. */
  usernamesByEmail(emails: readonly string[]): Promise<Map<string, string>>;
  /**
   * An administrator with this name and password. Run again for the same name it sets the password, so that starting
   * an instance twice is harmless. Throws `validation_failed` and, for a name that an organization has, `conflict`.
   */
  ensureAdmin(username: string, password: string): Promise<UserRow>;
}

export interface UserServiceDeps {
  db: Database;
  owners: Pick<OwnerService, "add">;
  passwords: Passwords;
  /** Ends every session of a user, in the caller's transaction. */
  endSessions(tx: Transaction, userId: string): Promise<void>;
  mail: Pick<MailService, "write">;
  instanceSettings: Pick<InstanceSettingsService, "requireOpenSignUp">;
  addresses: Addresses;
}

export function createUserService(deps: UserServiceDeps): UserService {
  const { db, passwords } = deps;

  async function found(row: Promise<UserRow | undefined>): Promise<UserRow> {
    const user = await row;
    if (!user) throw new AppError("not_found");
    return user;
  }

  async function notify(tx: Transaction, id: string, { kind, subject, paragraphs }: Notice): Promise<void> {
    const user = await store.findUser(tx, id);
    if (!user || user.email === "") return;
    const text = letter(deps, user.username, paragraphs);
    await deps.mail.write(tx, { kind, to: user.email, subject, text });
  }

  return {
    notify,
    get: (id) => found(store.findUser(db, id)),
    async getMany(ids) {
      const rows = ids.length === 0 ? [] : await store.findUsers(db, ids);
      return new Map(rows.map((row) => [row.id, row]));
    },
    getByName: (username) => found(store.findUserByName(db, username)),
    findByName: (username) => store.findUserByName(db, username),
    findForSignIn: async (name) => toSignInUser(await store.findForSignIn(db, name)),
    findSignInUser: async (id) => toSignInUser(await store.findSignInUser(db, id)),
    async setPassword(actor, password, first) {
      const user = await found(store.findUser(db, userIdOf(actor)));
      const problem = passwordProblem(password, user.username);
      if (problem) throw invalidFields([problem]);
      const passwordHash = await passwords.hash(password);
      await db.transaction(async (tx) => {
        await first?.(tx);
        await store.setPassword(tx, user.id, passwordHash);
        await endTokens(tx, user.id, "reset_password");
        await deps.endSessions(tx, user.id);
        await recordAudit(tx, actor, {
          action: "user.password_change",
          target: { type: "user", id: user.id, name: user.username },
        });
        await notify(tx, user.id, passwordChanged(deps));
      });
    },
    setPrimaryEmail: store.setPrimaryEmail,
    async rehash(id, before, password) {
      await store.replaceHash(db, id, { before, after: await passwords.hash(password) });
    },
    async signUp(actor, request) {
      await deps.instanceSettings.requireOpenSignUp(actor.request?.ipAddress ?? "");
      checkAccount(request.username, request.password);
      const passwordHash = await passwords.hash(request.password);
      const { username, email, name = "" } = request;
      return db.transaction((tx) => insertAccount(deps, tx, { actor, username, email, name, passwordHash }));
    },
    async provision(tx, actor, wanted) {
      const problem = usernameProblem(wanted.username);
      if (problem) throw invalidFields([problem]);
      return insertAccount(deps, tx, { ...wanted, actor, passwordHash: null });
    },
    update: (actor, { name, email_public: emailPublic }) =>
      found(store.updateProfile(db, userIdOf(actor), { name, emailPublic })),
    usernamesByEmail: (emails) => store.findUsernamesByEmail(db, emails),
    async ensureAdmin(username, password) {
      checkAccount(username, password);
      const passwordHash = await passwords.hash(password);
      return db.transaction(async (tx) => {
        const existing = await store.findUserByName(tx, username);
        if (existing) {
          await store.setPassword(tx, existing.id, passwordHash);
          await store.makeAdmin(tx, existing.id);
          return { ...existing, is_admin: true };
        }
        return insertUser(deps, tx, { id: newId("usr"), username, isAdmin: true, passwordHash });
      });
    },
  };
}

function toSignInUser(row: store.SignInRow | undefined): SignInUser | undefined {
  return (
    row && {
      id: row.id,
      username: row.username,
      suspended: row.suspended,
      isAdmin: row.is_admin,
      passwordHash: row.password_hash,
    }
  );
}

async function insertUser(
  { owners }: UserServiceDeps,
  tx: Transaction,
  user: store.NewUser,
): Promise<UserRow> {
  const isFree = await owners.add(tx, { id: user.id, name: user.username, kind: "user" });
  if (!isFree) throw new AppError("conflict", { message: "The name is taken." });
  return store.insertUser(tx, user);
}

async function insertAccount(
  deps: UserServiceDeps,
  tx: Transaction,
  account: ProvisionedAccount & { actor: Actor; passwordHash: string | null },
): Promise<UserRow> {
  const { actor, username, email, name, passwordHash } = account;
  const id = newId("usr");
  const row = await insertUser(deps, tx, { id, username, isAdmin: false, passwordHash, displayName: name });
  if (email) await claimFirstAddress(tx, id, email);
  await recordAudit(
    tx,
    { ...actor, kind: "user", userId: id, username },
    { action: "user.create", target: { type: "user", id, name: username } },
  );
  return row;
}

function passwordChanged(deps: UserServiceDeps): Notice {
  return {
    kind: "password_changed",
    subject: "Your password was changed",
    paragraphs: [
      "the password of your account was just changed, and all browsers were signed out.",
      `If this was not you, set a new password: ${deps.addresses.docsUrl}/account#a-forgotten-password`,
    ],
  };
}

function usernameProblem(username: string): FieldError | undefined {
  if (ownerName.safeParse(username).success && !isReservedOwnerName(username)) return undefined;
  return { field: "username", code: "invalid", message: "This user name is not allowed." };
}

function checkAccount(username: string, password: string): void {
  const problems = [usernameProblem(username), passwordProblem(password, username)];
  const errors = problems.filter((problem) => problem !== undefined);
  if (errors.length > 0) throw invalidFields(errors);
}
