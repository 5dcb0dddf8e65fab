// The distance rows at a particle: from stencils where the cloth repeats, else from links.

#ifdef repeats
#import <lib/stencils.wgsl>
#else
#import <lib/links.wgsl>
#endif
