/** A mutation that cannot be made on one object. */
export class Refusal extends Error {
  /** Where in the mutation: `.jsonPatch[0]`; `''` for the mutation as a whole. */
  readonly at: string;
  readonly remedy: string;

  constructor(what: string, remedy: string, at = '') {
    super(what);
    this.name = 'Refusal';
    this.at = at;
    this.remedy = remedy;
  }
}
