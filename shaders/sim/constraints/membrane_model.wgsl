// The model of the triangles that a pass goes through: `MODEL`, `gradient_of`, `stiffness_times`, and what is its own.

#ifdef stvk
#import <constraints/stvk.wgsl>
#endif
#ifdef neo_hookean
#import <constraints/neo_hookean.wgsl>
#endif
#ifdef area
#import <constraints/area.wgsl>
#endif
