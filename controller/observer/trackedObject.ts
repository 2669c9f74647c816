import type { HealthState } from '../../api/healthRules.ts';
import type { ObjectKey } from '../../api/object.ts';
import type { OwnRule } from '../../engine/health/assess.ts';
import type { Assessment } from '../../engine/health/assessment.ts';
import type { ObjectHealth } from '../../engine/waves/verdict.ts';
import { isOlderVersion } from '../../kube/resourceVersion.ts';
import type { Observed } from './observed.ts';

/** What news of an object mean to its Release, the weightiest first. */
export type News = 'drift' | 'state' | 'message';

/** What an apply sent, and what for. */
export interface SentApply {
  /** Digest of the body. */
  digest: string;
  renderRef: string;
  /** The object is left to others once it exists: edits are no drift. */
  isOnce?: boolean;
}

/** Which object, and who follows it. */
interface Identity {
  key: ObjectKey;
  release: string;
  apiVersion: string;
}

interface Seen {
  uid: string;
  resourceVersion: string;
  mark: string;
  isGone: boolean;
}

/** A Healthy that rests on what a controller may not have looked at yet is believed after this time without news (health.md, ms). */
const CONFIRMED_AFTER_MS = 2_000;
const UNCONFIRMED = 'applied; its controller may not have looked at it yet';
const GONE = 'it is not there';
/** In place of the version of an object that is not there. */
const GONE_VERSION = 'gone';

/**
 * What is known of one object that a Release applies: what was sent, what the API server made of it, and what has
 * happened to it since. All times are milliseconds of the epoch.
 */
export class TrackedObject {
  readonly key: ObjectKey;
  readonly release: string;
  /** The version of its kind in which it is applied: it is judged as that version shows it. */
  apiVersion: string;
  #sent: SentApply | undefined;
  /** The state that the apply left. */
  #baseline: { uid: string; mark: string } | undefined;
  #seen: Seen | undefined;
  #health: ObjectHealth | undefined;
  #recheckAt: number | undefined;
  /** A Healthy that waits to be confirmed. */
  #pending: Assessment | undefined;
  /** How it differed from what the render wants when it was compared with it. */
  #difference: { text: string; at: string } | undefined;
  #isSending = false;
  /** What was known when the apply on its way was sent. */
  #seenBefore: Seen | undefined;
  #applies = 0;
  #editor = '';
  #owner = '';
  #judgedBy: OwnRule | undefined;

  constructor({ key, release, apiVersion }: Identity, health?: ObjectHealth) {
    this.key = key;
    this.release = release;
    this.apiVersion = apiVersion;
    this.#health = health;
  }

  /** Applies so far: what was asked before one tells nothing after it. */
  get applies(): number {
    return this.#applies;
  }

  /** The UID that the last apply found or gave; '' where that is not known. */
  get uid(): string {
    return this.#baseline?.uid ?? '';
  }

  /** The other field manager that changed it last; '' where there is none. */
  get editor(): string {
    return this.#editor;
  }

  /** `namespace/name` of the Release that its labels name; '' where they name none. */
  get owner(): string {
    return this.#owner;
  }

  /** Whether what is known of it was judged by another rule than this, which is the one that counts. */
  isJudgedByOther(rule: OwnRule | undefined): boolean {
    return this.#seen?.isGone === false && this.#judgedBy !== rule;
  }

  /** How it differs from what the render wants, as a comparison has found; undefined: not, or nobody has compared it. */
  get difference(): string | undefined {
    return this.#difference?.text;
  }

  /** When time alone may change its health; undefined: only news do. */
  get recheckAt(): number | undefined {
    return this.#recheckAt;
  }

  /** The render that it was applied for last. */
  get renderRef(): string | undefined {
    return this.#sent?.renderRef;
  }

  /** Its health for a render; undefined while it was not applied for that. */
  healthFor(renderRef: string): ObjectHealth | undefined {
    return this.#sent?.renderRef === renderRef ? this.#health : undefined;
  }

  /** Whether an apply of this body would change nothing: it was sent, and nobody has touched what it set. */
  isUnchanged(digest: string): boolean {
    return this.#sent?.digest === digest && this.#difference === undefined && !this.#isDoubtful();
  }

  /** Whether it is known how it stands to this body: as the last apply left it, or compared since it has changed. */
  isCompared(digest: string): boolean {
    if (this.#difference === undefined) return this.isUnchanged(digest);
    const at = this.#seen && versionOf(this.#seen);
    return this.#sent?.digest === digest && this.#difference.at === at;
  }

  /** Whether this is the state that was seen last, and nobody has touched what Convoy applied. */
  isSeenAs({ uid, resourceVersion, mark }: Pick<Seen, 'uid' | 'resourceVersion' | 'mark'>): boolean {
    const seen = this.#seen;
    if (seen === undefined || seen.isGone) return false;
    return seen.uid === uid && seen.resourceVersion === resourceVersion && seen.mark === mark;
  }

  /**
   * It was compared with what an apply would make of it, and not applied: it counts as applied for the render from here on.
   * @param live as it was compared; undefined: it is not there
   * @param difference undefined: the apply would change nothing
   * @returns news that came meanwhile and are not compared
   */
  compared(
    live: Observed | undefined,
    sent: SentApply,
    difference: string | undefined,
    now: number,
  ): News | undefined {
    this.#sent = sent;
    if (live === undefined) this.gone(undefined, now);
    else this.lookedAt(live, now);
    const seen = this.#seen;
    const at = live === undefined ? GONE_VERSION : (live.metadata.resourceVersion ?? '');
    this.#difference = difference === undefined ? undefined : { text: difference, at };
    this.#baseline = live && { uid: live.metadata.uid ?? '', mark: live.mark };
    return seen !== undefined && versionOf(seen) === at ? undefined : 'message';
  }

  /** An apply that would change nothing counts as done for this render. */
  confirm(sent: SentApply): void {
    this.#sent = sent;
  }

  /** The next apply is to be sent whatever is known. */
  doubt(): void {
    this.#baseline = undefined;
  }

  /** An apply is on its way: what it changes itself is no drift. */
  sending(): void {
    this.#isSending = true;
    this.#difference = undefined;
    this.#seenBefore = this.#seen;
  }

  /** The apply on its way failed. */
  failed(): void {
    this.#isSending = false;
    this.#baseline = undefined;
  }

  /**
   * The API server took the apply. News from before it never count for it.
   * @returns `drift` where somebody has touched it before the answer came
   */
  applied(observed: Observed, sent: SentApply, now: number): 'drift' | undefined {
    const { uid = '', resourceVersion = '' } = observed.metadata;
    const before = this.#seenBefore;
    this.#applies += 1;
    this.#isSending = false;
    this.#sent = sent;
    this.#baseline = { uid, mark: observed.mark };
    if (this.#isOld(resourceVersion)) return this.#isDrifted() ? 'drift' : undefined;
    this.#seen = { uid, resourceVersion, mark: observed.mark, isGone: false };
    this.#owner = observed.owner;
    this.#judgedBy = observed.judgedBy;
    const isUnchanged = before?.uid === uid && before.resourceVersion === resourceVersion && !before.isGone;
    this.#takeApplied(observed.assessment, isUnchanged, now);
    return undefined;
  }

  /** A watch tells its state. @returns what that means; undefined: nothing new */
  seen(observed: Observed, now: number): News | undefined {
    const last = this.#seen;
    const isKnown = last?.resourceVersion === observed.metadata.resourceVersion && !last?.isGone;
    return isKnown ? undefined : this.lookedAt(observed, now);
  }

  /** Somebody has looked at it, since time alone may have changed what it means. */
  lookedAt(observed: Observed, now: number): News | undefined {
    const { uid = '', resourceVersion = '' } = observed.metadata;
    if (this.#isOld(resourceVersion)) return undefined;
    this.#seen = { uid, resourceVersion, mark: observed.mark, isGone: false };
    this.#editor = observed.editor;
    this.#owner = observed.owner;
    this.#judgedBy = observed.judgedBy;
    return this.#newsOf(this.#take(observed.assessment, now));
  }

  /** It is gone. @param resourceVersion of the deletion, where it was seen */
  gone(resourceVersion: string | undefined, now: number): News | undefined {
    if (this.#isOld(resourceVersion)) return undefined;
    const last = this.#seen;
    this.#seen = {
      uid: last?.uid ?? '',
      resourceVersion: resourceVersion ?? last?.resourceVersion ?? '',
      mark: '',
      isGone: true,
    };
    this.#owner = '';
    return this.#newsOf(this.#take({ state: 'Progressing', message: GONE }, now));
  }

  /** Time has passed: a Healthy that waited for it is confirmed. @returns undefined where one has to look at the object */
  confirmPending(now: number): News | undefined {
    return this.#pending === undefined ? undefined : this.#take(this.#pending, now);
  }

  /** News from before what is known already never count. */
  #isOld(resourceVersion: string | undefined): boolean {
    return isOlderVersion(resourceVersion, this.#seen?.resourceVersion);
  }

  /** While an apply is on its way, the reconcile that sent it takes what is known when it ends. */
  #newsOf(change: 'state' | 'message' | undefined): News | undefined {
    if (this.#isSending) return undefined;
    // Whatever changes may take the difference away.
    if (this.#difference !== undefined) return change ?? 'message';
    return this.#isDrifted() ? 'drift' : change;
  }

  #isDrifted(): boolean {
    return !this.#isSending && this.#baseline !== undefined && this.#isDoubtful();
  }

  #isDoubtful(): boolean {
    const [seen, baseline] = [this.#seen, this.#baseline];
    if (seen === undefined || baseline === undefined || seen.isGone) return true;
    return seen.uid !== baseline.uid || (this.#sent?.isOnce !== true && seen.mark !== baseline.mark);
  }

  /** A status that names no generation may speak of the object before the apply (health.md 3). */
  #takeApplied(assessment: Assessment, isUnchanged: boolean, now: number): void {
    const isSure = isUnchanged || assessment.state !== 'Healthy' || assessment.unconfirmed !== true;
    if (isSure) {
      this.#take(assessment, now);
      return;
    }
    this.#take({ state: 'Progressing', message: UNCONFIRMED, recheckAfterMs: CONFIRMED_AFTER_MS }, now);
    this.#pending = assessment;
  }

  #take({ state, message, recheckAfterMs }: Assessment, now: number): 'state' | 'message' | undefined {
    const before = this.#health;
    this.#pending = undefined;
    this.#recheckAt = recheckAfterMs === undefined ? undefined : now + recheckAfterMs;
    const isSameState = before?.state === state;
    const since = isSameState ? before.since : now;
    this.#health = { state, message, since, ...unhealthyBefore(state, since, before) };
    if (!isSameState) return 'state';
    return before.message === message ? undefined : 'message';
  }
}

function versionOf({ isGone, resourceVersion }: Seen): string {
  return isGone ? GONE_VERSION : resourceVersion;
}

/** A loss of health counts from its begin, also where the state changes again before it is over. */
function unhealthyBefore(
  state: HealthState,
  since: number,
  before: ObjectHealth | undefined,
): { unhealthySince?: number } {
  if (state === 'Healthy' || before === undefined || before.state === 'Healthy') return {};
  const unhealthySince = before.unhealthySince ?? before.since;
  return unhealthySince < since ? { unhealthySince } : {};
}
