import { create, toBinary } from '@bufbuild/protobuf';
import type { DescFile, DescService } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { loadFileDescriptorSetFromBuffer } from '@grpc/proto-loader';
import { ReflectionService } from '@grpc/reflection';

/** Server reflection, so that grpcurl and its like can list and call what is served. */
export function reflectionOf(services: readonly DescService[]): ReflectionService {
  const files = new Map<string, DescFile>();
  for (const service of services) collect(service.file, files);
  const set = create(FileDescriptorSetSchema, { file: [...files.values()].map((file) => file.proto) });
  const definition = loadFileDescriptorSetFromBuffer(Buffer.from(toBinary(FileDescriptorSetSchema, set)));
  return new ReflectionService(definition, { services: services.map((service) => service.typeName) });
}

function collect(file: DescFile, files: Map<string, DescFile>): void {
  if (files.has(file.name)) return;
  for (const dependency of file.dependencies) collect(dependency, files);
  files.set(file.name, file);
}
