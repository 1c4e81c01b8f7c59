// Names a variable that a function takes from the code around it, before asc reports "used before
// being assigned".
import { mayBeConstant } from "./constants.js";
import { Arrow, Code, Flag, Kind, children } from "./nodes.js";

/**
 * @typedef {{ what: "local" | "parameter" | "loop variable", isConstant: boolean, owner: Frame }} Variable
 * @typedef {{ names: Map<string, Variable>, outer: Scope | null, frame: Frame }} Scope
 *   One block. Names enter it when the walk comes to their declaration, as in asc: before that
 *   line, a name means what it means outside.
 * @typedef {{ said: Set<string>, hasThis: boolean, ownsThis: boolean }} Frame
 *   One function. `hasThis`: a `this` is in sight; `ownsThis`: it is its own, not that of the
 *   function around it.
 * @typedef {{ name: string, what: "local" | "parameter" | "loop variable" | "this", range: any }} Capture
 */

/**
 * Finds the first use of each captured variable in each function.
 *
 * @param {readonly any[]} sources
 * @returns {Capture[]}
 */
export function findCaptures(sources) {
  const walk = new CaptureWalk();
  for (const source of sources) walk.source(source);
  return walk.found;
}

/**
 * Reports them at their place; asc stops after parsing, so that its own follow-up errors do not
 * appear.
 *
 * @param {any} parser
 * @param {readonly any[]} sources
 */
export function reportCaptures(parser, sources) {
  for (const capture of findCaptures(sources)) {
    parser.error(Code.User_defined_0, capture.range, describeCapture(capture));
  }
}

/**
 * @param {Capture} capture
 * @returns {string}
 */
export function describeCapture({ name, what }) {
  const belongs = "of the code around this function, and AssemblyScript has no closures. ";
  if (what === "this") {
    return (
      `'this' is that ${belongs}Hand the object over as the state of the call: ` +
      "client.Get(ctx, path, headers, this, (ctx, config, response, self) => …)."
    );
  }
  return (
    `'${name}' is a ${what} ${belongs}Keep it in the config, in the context (ctx.SetContext), or in a state object ` +
    "that the call takes: client.Get(ctx, path, headers, new State(…), (ctx, config, response, state) => …)."
  );
}

class CaptureWalk {
  /** @type {Capture[]} */
  found = [];
  /** @type {Scope} */
  scope = { names: new Map(), outer: null, frame: newFrame({ hasThis: false, ownsThis: true }) };

  /** @param {any} source */
  source(source) {
    // A file's own variables are globals: every function may use them, so they enter no scope.
    for (const statement of source.statements) {
      if (statement.kind === Kind.Variable) {
        for (const declaration of statement.declarations)
          this.visitOptional(declaration.initializer);
      } else {
        this.visit(statement);
      }
    }
  }

  /** @param {any} node */
  visitOptional(node) {
    if (node) this.visit(node);
  }

  /** @param {any} node */
  visit(node) {
    switch (node.kind) {
      case Kind.NamedType:
      case Kind.FunctionType:
      case Kind.TupleType:
      case Kind.TypeName:
      case Kind.TypeParameter:
      case Kind.Decorator:
      case Kind.Import:
      case Kind.Export:
      case Kind.ExportImport:
      case Kind.Break:
      case Kind.Continue:
      case Kind.EnumDeclaration:
      case Kind.InterfaceDeclaration:
      case Kind.TypeDeclaration:
      case Kind.IndexSignature:
        return;
      case Kind.Identifier:
        return this.use(node);
      case Kind.This:
        return this.useThis(node);
      case Kind.PropertyAccess:
        return this.visit(node.expression);
      case Kind.Literal:
        return this.literal(node);
      case Kind.VariableDeclaration:
        return this.declare(node, "local");
      case Kind.FunctionDeclaration:
      case Kind.MethodDeclaration:
        return this.func(node);
      case Kind.FieldDeclaration:
        return this.inFrame({ hasThis: true, ownsThis: true }, () =>
          this.visitOptional(node.initializer),
        );
      case Kind.ClassDeclaration:
      case Kind.NamespaceDeclaration:
        return node.members.forEach((/** @type {any} */ member) => this.member(member));
      case Kind.For:
      case Kind.ForOf:
        return this.loop(node);
      case Kind.Block:
      case Kind.Switch:
      case Kind.Try:
        return this.inScope(() => this.all(node));
      default:
        return this.all(node);
    }
  }

  /** @param {any} node */
  all(node) {
    for (const child of children(node)) this.visit(child);
  }

  /** @param {any} member */
  member(member) {
    // A namespace's variables are globals too.
    if (member.kind !== Kind.Variable) return this.visit(member);
    for (const declaration of member.declarations) this.visitOptional(declaration.initializer);
  }

  /** @param {any} node */
  literal(node) {
    const isObject = Array.isArray(node.names) && Array.isArray(node.values);
    for (const child of isObject ? node.values : children(node)) this.visit(child);
  }

  /** @param {any} node */
  loop(node) {
    this.inScope(() => {
      const head = node.initializer ?? node.variable;
      if (head?.kind === Kind.Variable) {
        for (const declaration of head.declarations) this.declare(declaration, "loop variable");
      } else {
        this.visitOptional(head);
      }
      for (const child of children(node)) if (child !== head) this.visit(child);
    });
  }

  /**
   * @param {any} declaration
   * @param {"local" | "loop variable"} what
   */
  declare(declaration, what) {
    this.visitOptional(declaration.initializer);
    const isConstant =
      declaration.is(Flag.Const) &&
      mayBeConstant(declaration.initializer, (name) => this.lookUp(name));
    this.add(declaration.name.text, what, isConstant);
  }

  /** @param {any} node */
  func(node) {
    const isArrow = node.kind === Kind.FunctionDeclaration && node.arrowKind !== Arrow.None;
    const isMethod = node.kind === Kind.MethodDeclaration && !node.is(Flag.Static);
    const namesThis = node.signature.explicitThisType !== null;
    const ownsThis = !isArrow || namesThis;
    const hasThis = ownsThis ? isMethod || namesThis : this.scope.frame.hasThis;
    this.inFrame({ hasThis, ownsThis }, () => {
      for (const parameter of node.signature.parameters) {
        this.visitOptional(parameter.initializer);
        this.add(parameter.name.text, "parameter", false);
      }
      this.visitOptional(node.body);
    });
  }

  /** @param {any} node */
  use(node) {
    const variable = this.lookUp(node.text);
    const { frame } = this.scope;
    if (!variable || variable.isConstant || variable.owner === frame) return;
    this.report({ name: node.text, what: variable.what, range: node.range });
  }

  /** @param {any} node */
  useThis(node) {
    const { frame } = this.scope;
    if (frame.hasThis && !frame.ownsThis)
      this.report({ name: "this", what: "this", range: node.range });
  }

  /** @param {Capture} capture */
  report(capture) {
    const { said } = this.scope.frame;
    if (said.has(capture.name)) return;
    said.add(capture.name);
    this.found.push(capture);
  }

  /**
   * @param {string} name
   * @returns {Variable | undefined}
   */
  lookUp(name) {
    for (let scope = /** @type {Scope | null} */ (this.scope); scope; scope = scope.outer) {
      const variable = scope.names.get(name);
      if (variable) return variable;
    }
    return undefined;
  }

  /**
   * @param {string} name
   * @param {Variable["what"]} what
   * @param {boolean} isConstant
   */
  add(name, what, isConstant) {
    this.scope.names.set(name, { what, isConstant, owner: this.scope.frame });
  }

  /** @param {() => void} inside */
  inScope(inside) {
    const outer = this.scope;
    this.scope = { names: new Map(), outer, frame: outer.frame };
    inside();
    this.scope = outer;
  }

  /**
   * @param {{ hasThis: boolean, ownsThis: boolean }} self
   * @param {() => void} inside
   */
  inFrame(self, inside) {
    const outer = this.scope;
    this.scope = { names: new Map(), outer, frame: newFrame(self) };
    inside();
    this.scope = outer;
  }
}

/**
 * @param {{ hasThis: boolean, ownsThis: boolean }} self
 * @returns {Frame}
 */
function newFrame(self) {
  return { said: new Set(), ...self };
}
