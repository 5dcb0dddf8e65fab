// The model of the hinges that a pass goes through: `MODEL`, `gradient_of`, `stiffness_times`, and what is its own.

#ifdef quadratic_bend
#import <constraints/quadratic_bend.wgsl>
#endif
#ifdef dihedral
#import <constraints/dihedral.wgsl>
#endif
#ifdef curve_bend
#import <constraints/curve_bend.wgsl>
#endif
