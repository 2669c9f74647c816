import { CelScalar, celFunc, type CelFunc, celMethod, objectType } from '@bufbuild/cel';
import { create, createFileRegistry, type DescField, type DescMessage } from '@bufbuild/protobuf';
import { reflect, type ReflectMessage } from '@bufbuild/protobuf/reflect';
import {
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  FileDescriptorProtoSchema,
} from '@bufbuild/protobuf/wkt';
import {
  addQuantities,
  approximate,
  compareQuantities,
  negated,
  parseQuantity,
  type Quantity,
  quantityOf,
  signOf,
  wholeOf,
} from './quantity.ts';

const { BOOL, DOUBLE, INT, STRING } = CelScalar;

/** The library takes no types but messages of protobuf, so a quantity is one: equal where its canonical text is. */
const [DESCRIPTOR, TEXT] = describeMessage('kubernetes', 'Quantity', 'text');
const QUANTITY = objectType(DESCRIPTOR);

/** `quantity()` and its methods, as Kubernetes has them in CEL. */
export const QUANTITY_FUNCTIONS: readonly CelFunc[] = [
  celFunc('isQuantity', [STRING], BOOL, (text) => parseQuantity(text) !== undefined),
  celFunc('quantity', [STRING], QUANTITY, (text) => {
    const quantity = parseQuantity(text);
    if (quantity === undefined) throw new Error(`${JSON.stringify(text.slice(0, 40))} is no quantity`);
    return toCel(quantity);
  }),
  celMethod('sign', QUANTITY, [], INT, function () {
    return signOf(fromCel(this));
  }),
  celMethod('isInteger', QUANTITY, [], BOOL, function () {
    return wholeOf(fromCel(this)) !== undefined;
  }),
  celMethod('asInteger', QUANTITY, [], INT, function () {
    const whole = wholeOf(fromCel(this));
    if (whole === undefined) throw new Error('the quantity is no whole number that an int holds');
    return whole;
  }),
  celMethod('asApproximateFloat', QUANTITY, [], DOUBLE, function () {
    return approximate(fromCel(this));
  }),
  celMethod('compareTo', QUANTITY, [QUANTITY], INT, function (other) {
    return compareQuantities(fromCel(this), fromCel(other));
  }),
  celMethod('isGreaterThan', QUANTITY, [QUANTITY], BOOL, function (other) {
    return compareQuantities(fromCel(this), fromCel(other)) > 0n;
  }),
  celMethod('isLessThan', QUANTITY, [QUANTITY], BOOL, function (other) {
    return compareQuantities(fromCel(this), fromCel(other)) < 0n;
  }),
  celMethod('add', QUANTITY, [QUANTITY], QUANTITY, function (other) {
    return toCel(addQuantities(fromCel(this), fromCel(other)));
  }),
  celMethod('add', QUANTITY, [INT], QUANTITY, function (whole) {
    return toCel(addQuantities(fromCel(this), quantityOf(whole)));
  }),
  celMethod('sub', QUANTITY, [QUANTITY], QUANTITY, function (other) {
    return toCel(addQuantities(fromCel(this), negated(fromCel(other))));
  }),
  celMethod('sub', QUANTITY, [INT], QUANTITY, function (whole) {
    return toCel(addQuantities(fromCel(this), quantityOf(-whole)));
  }),
];

function toCel({ digits, exponent }: Quantity): ReflectMessage {
  const message = reflect(DESCRIPTOR);
  message.set(TEXT, `${digits}e${exponent}`);
  return message;
}

function fromCel(message: ReflectMessage): Quantity {
  const [digits = '', exponent = ''] = String(message.get(TEXT)).split('e');
  return { digits: BigInt(digits), exponent: Number(exponent) };
}

/** A type of message with one field, a text. */
function describeMessage(
  packageName: string,
  name: string,
  fieldName: string,
): [DescMessage, DescField & { fieldKind: 'scalar' }] {
  const field = {
    name: fieldName,
    number: 1,
    type: FieldDescriptorProto_Type.STRING,
    label: FieldDescriptorProto_Label.OPTIONAL,
    jsonName: fieldName,
  };
  const file = create(FileDescriptorProtoSchema, {
    name: `${name}.proto`,
    package: packageName,
    syntax: 'proto3',
    messageType: [{ name, field: [field] }],
  });
  const message = createFileRegistry(file, () => undefined).getMessage(`${packageName}.${name}`);
  const described = message?.fields[0];
  if (message === undefined || described?.fieldKind !== 'scalar')
    throw new Error(`the message ${name} could not be described`);
  return [message, described];
}
