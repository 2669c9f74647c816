// The house has one direction: api <- engine <- programs, api <- kube <- programs (docs/design.md).
const library = (name, allowed) => ({
  name: `${name}-stays-below`,
  comment: `${name}/ is a library: it may import ${allowed.join(', ') || 'nothing of the house'} and itself`,
  severity: 'error',
  from: { path: `^${name}/` },
  to: {
    path: '^(api|engine|kube|controller|webhook|plugin|manifests|test)/',
    pathNot: `^(${[name, ...allowed].join('|')})/`,
  },
});
const program = (name) => ({
  name: `${name}-is-alone`,
  comment: `${name}/ is a program: no program imports another one`,
  severity: 'error',
  from: { path: `^${name}/` },
  to: { path: '^(controller|webhook|plugin|manifests|test)/', pathNot: `^${name}/` },
});

module.exports = {
  forbidden: [
    library('api', []),
    library('engine', ['api']),
    library('kube', ['api']),
    program('controller'),
    program('webhook'),
    program('plugin'),
    {
      name: 'manifests-from-libraries',
      comment: 'manifests/ is generated from libraries, not from programs or tests',
      severity: 'error',
      from: { path: '^manifests/' },
      to: { path: '^(controller|webhook|plugin|test)/' },
    },
    {
      name: 'shipped',
      comment: 'what ships imports what package.json lists as a dependency',
      severity: 'error',
      from: {
        path: '^(api|engine|kube|controller|webhook|plugin)/',
        pathNot: '^plugin/(build|bundle/packed)\\.ts$',
      },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'pure',
      comment: 'api/ and engine/ do no I/O: of Node they may use what turns bytes into others',
      severity: 'error',
      from: { path: '^(api|engine)/' },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?(buffer|crypto|util|zlib)$' },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
};
